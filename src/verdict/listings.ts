import { pageLimitMax } from "../spec/limits.js";
import { lacking } from "../subjects/hints.js";
import { walletsWithOpenPositions } from "../subjects/select.js";
import type { WalletSubject } from "../subjects/subjects.js";
import type { Answer } from "./answer.js";
import type { CheckContext } from "./context.js";

/** The position listing, and what portfolios said before it was read. */
export interface PositionListing {
  readonly portfolios: readonly { readonly wallet: WalletSubject; readonly answer: Answer }[];
  /** The answers with its pages, the first page first. */
  readonly pages: readonly [Answer, ...Answer[]];
}

/** Wallets whose portfolios are read. */
const WALLETS = 6;
/** Pages that a listing may have, to be read whole; of a longer one the first page is read. */
const PAGES = 3;
/** Rows that two pages share, so that a row that is pushed down meanwhile is not missed. */
const OVERLAP = 50;
const STRIDE = pageLimitMax - OVERLAP;

/** How many requests {@link positionListing} sends at most. */
export const positionListingRequests = WALLETS + PAGES;

/**
 * Reads some portfolios, and then the position listing from its end to its start: a row that has been in it all the time is
 * not missed, although others come or move to the front meanwhile (§4.1). Read once for all checks of a worker.
 */
export function positionListing({ sharedReading, subjects, need }: CheckContext): Promise<PositionListing> {
  const wallets = walletsWithOpenPositions(subjects).slice(0, WALLETS);
  need(wallets[0], lacking(subjects, "walletWithOpenPositions"));
  const total = subjects.totals.positions ?? 0;
  const further = total > STRIDE * PAGES ? 0 : Math.max(0, Math.ceil((total - pageLimitMax) / STRIDE));
  return sharedReading("the position listing beside portfolios", positionListingRequests, async ({ ask }) => {
    const portfolios = await Promise.all(
      wallets.map(async (wallet) => ({ wallet, answer: await ask("GetPortfolio", { owner: wallet.address }) })),
    );
    const rest: Answer[] = [];
    for (let page = further; page > 0; page--) {
      rest.unshift(await ask("GetAllPositions", { limit: pageLimitMax, offset: page * STRIDE }));
    }
    return { portfolios, pages: [await ask("GetAllPositions", { limit: pageLimitMax }), ...rest] };
  });
}
