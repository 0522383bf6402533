import { getOrInsert } from "../../specification/get-or-insert.js";
import { Random } from "../random.js";
import { createDataset, type Dataset } from "./dataset.js";
import { addressOf, createMarkets } from "./markets.js";
import { Platform } from "./platform.js";
import { assignTimes } from "./timeline.js";
import { fixedScenarios, randomScenario } from "./trade-scenarios.js";

/** Orders of the default dataset: enough for pages of 50 and for the cap of 1000 (§4.3). */
export const defaultOrders = 2_700;

/** The largest scale that fits into node's default heap. */
export const maxOrders = 1_000_000;

/** Orders of the busiest wallet, if the scale allows: more than 1000, the cap of paged listings (§4.4). */
const busiestWalletOrders = 1_050;

const cache = new Map<string, Dataset>();

/** The dataset for a seed and scale, generated once per process and shared by its servers. */
export function sharedDataset(seed: number, orders: number, walletOrders?: number): Dataset {
  const key = `${seed}/${orders}/${walletOrders}`;
  return getOrInsert(cache, key, () => generateDataset(seed, orders, walletOrders));
}

/**
 * Generates a dataset. The same seed and scale give the same rows.
 *
 * @param target approximate number of orders, 0 to 1,000,000; with 0 there are only markets
 * @param walletOrders approximate number of those in the busiest wallet; by default enough to exceed the page cap, if the
 * scale allows
 */
export function generateDataset(seed: number, target: number, walletOrders?: number): Dataset {
  const markets = createMarkets(seed);
  const random = new Random(seed, "stories");
  const platform = new Platform(markets, random);
  const listed = markets.map(({ market }) => market).filter((market) => market.listed);
  const fixed = fixedScenarios(seed, markets);
  const crowdSize = Math.max(4, Math.round((target - (walletOrders ?? 0)) / 70));
  const crowd = Array.from({ length: crowdSize }, (_, i) => addressOf("crowd", seed * 1_000_003 + i));
  const busiest = addressOf("busiest", seed);
  const busiestQuota = walletOrders ?? Math.min(busiestWalletOrders, Math.floor(target * 0.39));
  const busiestShare = busiestQuota / target;
  const busiestChance = Math.min(1.15 * busiestShare, 1 - 0.9 * (1 - busiestShare));
  let busiestCount = 0;
  let fixedCount = 0;

  for (let place = 0; platform.orders.length < target; place++) {
    const before = platform.orders.length;
    const next = fixed[fixedCount];
    if (next !== undefined && fixedCount <= (before / target) * fixed.length) {
      next(platform, place);
      fixedCount++;
      continue;
    }
    const forBusiest = busiestCount < busiestQuota && random.chance(busiestChance);
    // Squared, so that some wallets trade far more than others.
    const owner = forBusiest ? busiest : (crowd[Math.floor(random.next() ** 2 * crowdSize)] ?? busiest);
    // Keep few of the busiest wallet's trades open: streaming thousands of positions is not the purpose here.
    const settledChance = !forBusiest ? 0 : busiestCount < busiestWalletOrders ? 0.93 : 1;
    randomScenario(random, settledChance)(platform, owner, random.pick(listed), place);
    if (forBusiest) busiestCount += platform.orders.length - before;
  }

  assignTimes(platform.events, new Random(seed, "timeline"));
  return createDataset(
    seed,
    markets.map(({ market }) => market),
    platform.orders,
    platform.positions,
  );
}
