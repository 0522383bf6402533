/**
 * A wallet watched for a few seconds, in every operation that shows its positions: what changes and what does not (R17, T4).
 */
import type { JsonObjectInput } from "../../src/connect/json.js";
import type { Answer, AnswerOf, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { type ShownBody, shownPositions } from "../../src/judge/located-rows.js";
import { portfolioOf, positionsOf } from "../../src/judge/read.js";
import { positionKey } from "../../src/judge/read-stored.js";
import type { PositionSighting, PositionSightings } from "../../src/judge/stale.js";
import type { UnaryEndpoint } from "../../src/specification/endpoints.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import { memoize } from "../../src/specification/memoize.js";
import { absentOperation } from "../../src/subjects/broken-operations.js";
import {
  openPositions,
  walletsOfEachMarket,
  walletsWithOpenPositions,
  walletToFollow,
  walletToWatch,
} from "../../src/subjects/select.js";
import type { Subjects, WalletSubject } from "../../src/subjects/subjects.js";
import { hasSnapshot } from "./resources.js";

/** When a portfolio is read, in milliseconds after the first answer, and what else is read at that time. */
interface PlannedRead {
  readonly ms: number;
  readonly listing: boolean;
  /** Whether the portfolios of wallets in further markets are read. */
  readonly extra: boolean;
}

/**
 * When the wallet's portfolio is read, in milliseconds after the first answer, and whether the listing and the portfolios of
 * wallets in further markets are read as well. The times are irregular, so that a price that moves back and forth is not always
 * sampled at the same point. The last listing reads are far enough apart that no cache merges them (P3), and late enough that
 * a position opened meanwhile has been open long enough to count (T4). The wallet's portfolio is read more often: one that is
 * cached for a few seconds may be refreshed meanwhile, and enough reads must remain on either side of that to tell.
 */
const readAt: readonly PlannedRead[] = [
  { ms: 0, listing: true, extra: false },
  { ms: 430, listing: true, extra: false },
  { ms: 1_120, listing: true, extra: true },
  { ms: 1_600, listing: true, extra: true },
  { ms: 2_250, listing: true, extra: true },
  { ms: 2_790, listing: false, extra: false },
  { ms: 3_380, listing: true, extra: true },
  { ms: 3_940, listing: false, extra: false },
  { ms: 4_500, listing: true, extra: true },
  { ms: 5_060, listing: false, extra: false },
  { ms: 5_620, listing: true, extra: true },
  { ms: 6_150, listing: false, extra: false },
];

/** When the portfolio of a busy wallet is read: for a little longer, so that late changes are seen for long enough. */
const busyReadAt: readonly PlannedRead[] = [...readAt.map(({ ms }) => ms), 6_900, 8_200].map((ms) => {
  return { ms, listing: false, extra: false };
});

/** How long to wait for the stream after the last read, in milliseconds. */
const streamGraceMs = 1_500;

const streamIntervalMs = 200;

/** Rows of the listing per read: the newest, where the open positions are found. */
const newestPositions = 150;

/** How many wallets that opened positions during the first watch are watched next. */
const busyWallets = 3;

/** Maximum open positions of a wallet whose portfolio is read time and again. */
const maxPositions = 500;

/**
 * How many wallets' streams and portfolios show the prices of further markets, and the interval of the streams in
 * milliseconds. A price can only be judged where a second operation shows one of the same market. A small wallet is always
 * among them.
 */
const extraWallets = 9;
const extraStreamIntervalMs = 500;

/** How many of these streams are opened before the data are seen to move. */
const extraStreamsAtFirst = 3;

/** The answers of watching one wallet. */
export interface Watch {
  readonly address: string;
  /** Keys of the positions that discovery saw open. */
  readonly knownOpen: ReadonlySet<string>;
  readonly portfolios: readonly Answer[];
  /** The portfolios of the wallets in further markets. */
  readonly extraPortfolios: readonly Answer[];
  /** The portfolios of another wallet, with more positions; none if the listing never changed. */
  readonly largerPortfolios: readonly Answer[];
  readonly listings: readonly Answer[];
  /** A further page of the listing, with more open positions of these wallets; none if the newest positions have them. */
  readonly furtherListings: readonly Answer[];
  /** The wallet's stream, then those of wallets in further markets, for their prices; none if the operation is absent. */
  readonly streams: readonly StreamAnswer[];
}

/**
 * Watches a wallet with open positions: its portfolio, the platform's newest positions, and its stream at the same time, beside
 * streams of wallets in further markets. Shared by the checks of a worker.
 */
export async function watchMovingData(context: CheckContext): Promise<Watch> {
  const { required, subjects, sharedRead } = context;
  const { address } = required(walletToWatch(subjects), "walletWithOpenPositions");
  const others = [...walletsOfEachMarket(subjects, sampleSize(extraWallets, context)), walletToFollow(subjects)].filter(
    (wallet): wallet is WalletSubject =>
      wallet !== undefined && wallet.address !== address && (wallet.openPositions ?? 0) <= maxPositions,
  );
  const extra = [...new Set(others)];
  const watched = new Set([address, ...extra.map((wallet) => wallet.address)]);
  const offset = await furtherPage(context, watched);
  const larger = walletsWithOpenPositions(subjects).find(({ openPositions = 0 }) => openPositions <= maxPositions);
  return sharedRead("a wallet while the data move", (reader) =>
    watchWallet(
      {
        address,
        reads: readAt,
        extra,
        offset,
        ...(larger && larger.address !== address && { larger: larger.address }),
      },
      subjects,
      reader,
    ),
  );
}

/** The watch of {@link watchMovingData}, and one of each busy wallet: those that opened positions meanwhile, if any. */
export async function watchedWallets(context: CheckContext): Promise<readonly Watch[]> {
  const { sharedRead, subjects } = context;
  const watched = await watchMovingData(context);
  const { address, listings } = watched;
  const listed = listings.flatMap(({ outcome }) => (outcome.kind === "success" ? [positionsOf(outcome.body)] : []));
  const before = new Set(listed[0]?.map(positionKey));
  const opened = (listed.at(-1) ?? []).filter((position) => !before.has(positionKey(position)));
  const busy = new Set(opened.map(({ owner }) => owner.toLowerCase()));
  busy.delete(address);
  const others = [...busy]
    .slice(0, busyWallets)
    .map((each) =>
      sharedRead(`the wallet ${each} while the data move`, (reader) =>
        watchWallet({ address: each, reads: busyReadAt, extra: [], offset: 0 }, subjects, reader),
      ),
    );
  return [watched, ...(await Promise.all(others))];
}

/**
 * Where the page of the listing starts that has most open positions of the watched wallets beyond the newest positions; 0 if
 * there are none. On a platform with many closed positions, the newest ones may all be closed.
 */
async function furtherPage({ shared, subjects }: CheckContext, watched: ReadonlySet<string>): Promise<number> {
  if (absentOperation(subjects, "GetAllPositions")) return 0;
  const { outcome } = await shared("GetAllPositions", { limit: pageLimitMax });
  if (outcome.kind !== "success") return 0;
  const open = new Set(openPositions(subjects).map(positionKey));
  const places = positionsOf(outcome.body).flatMap((position, place) => {
    const isWatched = watched.has(position.owner.toLowerCase()) && open.has(positionKey(position));
    return isWatched && place >= newestPositions ? [place] : [];
  });
  const onPage = (from: number) => places.filter((place) => place >= from && place < from + newestPositions).length;
  return places.reduce((best, place) => (onPage(place) > onPage(best) ? place : best), places[0] ?? 0);
}

/** What to watch: a wallet, when to read its portfolio and the listing, and the further wallets whose streams are watched as well. */
interface WatchPlan {
  readonly address: string;
  readonly reads: readonly PlannedRead[];
  readonly extra: readonly Pick<WalletSubject, "address">[];
  /** Where the further page of the listing starts; 0 for none. */
  readonly offset: number;
  /** A wallet with more positions, whose portfolio is read as well once the listing has changed. */
  readonly larger?: string;
}

async function watchWallet(plan: WatchPlan, subjects: Subjects, reader: ReadContext): Promise<Watch> {
  const streams = startStreams(plan, subjects, reader);
  const unary = await readTimeAndAgain(plan, subjects, reader, streams.openAll).finally(streams.finish);
  return {
    address: plan.address,
    knownOpen: new Set(openPositions(subjects).map(positionKey)),
    ...unary,
    streams: await streams.answers(),
  };
}

/** The streams of a watch while they run. */
interface RunningStreams {
  /** Opens those that wait until the data are seen to move. */
  readonly openAll: () => void;
  /** Ends each stream soon, but not before its first message unless that does not come. */
  readonly finish: () => void;
  /** The answers, once all streams have ended. */
  readonly answers: () => Promise<readonly StreamAnswer[]>;
}

/** Opens the wallet's stream and the first ones of further wallets; none if the operation is absent. */
function startStreams({ address, extra }: WatchPlan, subjects: Subjects, { listen }: ReadContext): RunningStreams {
  const opened = performance.now();
  let done: number | undefined;
  const requests = [
    { address, updateIntervalMs: streamIntervalMs },
    ...extra.map((other) => ({ address: other.address, updateIntervalMs: extraStreamIntervalMs })),
  ];
  const streams: Promise<StreamAnswer>[] = [];
  const open = (count: number) => {
    if (absentOperation(subjects, "GetOpenPositionsStreaming")) return;
    for (const request of requests.slice(streams.length, count))
      streams.push(
        listen(request, (frames, elapsedMs) => {
          if (done === undefined) return false;
          return frames.length > 0 || elapsedMs > done + streamGraceMs;
        }),
      );
  };
  open(1 + extraStreamsAtFirst);
  return {
    openAll: () => open(requests.length),
    finish: () => {
      done = performance.now() - opened;
    },
    answers: () => Promise.all(streams),
  };
}

/** Reads the portfolios and the listing at the times of the plan; calls `onMovement` at each one once the data have changed. */
async function readTimeAndAgain(
  { address, reads, extra, offset, larger }: WatchPlan,
  subjects: Subjects,
  { ask, pause }: ReadContext,
  onMovement: () => void,
): Promise<Pick<Watch, "portfolios" | "extraPortfolios" | "largerPortfolios" | "listings" | "furtherListings">> {
  const portfolios: Answer[] = [];
  const largerPortfolios: Answer[] = [];
  const listings: Answer[] = [];
  const furtherListings: Answer[] = [];
  const extraPortfolios = extra.map((): Answer[] => []);
  /** Reads again, unless the operation is absent or the first answer was not a success. */
  const read = async (answers: Answer[], endpoint: UnaryEndpoint, request: JsonObjectInput) => {
    const isRefused = answers[0] !== undefined && answers[0].outcome.kind !== "success";
    if (!isRefused && !absentOperation(subjects, endpoint)) answers.push(await ask(endpoint, request));
  };
  const readAll = async ({ listing, extra: readsExtra }: PlannedRead) => {
    // Further reads tell nothing where the data are at rest.
    const areMoving = haveChanged(listings) || haveChanged(portfolios);
    if (areMoving) onMovement();
    const newest = { limit: newestPositions };
    await Promise.all([
      read(portfolios, "GetPortfolio", { owner: address }),
      larger && haveChanged(listings) && read(largerPortfolios, "GetPortfolio", { owner: larger }),
      listing && read(listings, "GetAllPositions", newest),
      listing && offset > 0 && areMoving && read(furtherListings, "GetAllPositions", { ...newest, offset }),
      ...extra.map((wallet, index) => {
        const answers = extraPortfolios[index] ?? [];
        return readsExtra && areMoving && read(answers, "GetPortfolio", { owner: wallet.address });
      }),
    ]);
  };
  let started = performance.now();
  for (const planned of reads) {
    await pause(Math.max(0, started + planned.ms - performance.now()));
    await readAll(planned);
    if (planned.ms === 0) started = performance.now();
  }
  return { portfolios, extraPortfolios: extraPortfolios.flat(), largerPortfolios, listings, furtherListings };
}

/** The answers of a watch, and what they show. */
interface Sightings {
  readonly answers: readonly AnswerOf<ShownBody>[];
  readonly seen: PositionSightings;
}

/** Whether answers to the same request show other positions, or other prices or times of the same ones. */
function haveChanged(answers: readonly Answer[]): boolean {
  return new Set(answers.map(pricesText)).size > 1;
}

const pricesText = memoize((answer: Answer): string =>
  sightingOf(answer, 0)
    .positions.map(({ row }) => `${positionKey(row)} ${row.markPrice} ${row.timestamp.text}`)
    .join(),
);

/** What a watch showed, and the answers that show it: first the streams that sent a message. Computed once. */
export const sightingsOf = memoize((watch: Watch): Sightings => {
  const { portfolios, extraPortfolios, listings, furtherListings, streams } = watch;
  const streamed = streams.filter(hasSnapshot);
  const unary = [...portfolios, ...extraPortfolios, ...listings, ...furtherListings]
    .filter(({ outcome }) => outcome.kind === "success")
    .sort((one, other) => Date.parse(one.exchange.startedAt) - Date.parse(other.exchange.startedAt));
  const all = [
    ...streamed.flatMap(messagesOf).sort((one, other) => one.from - other.from),
    ...unary.map((answer, index) => sightingOf(answer, streamed.length + index)),
  ];
  const known = new Set([
    ...watch.knownOpen,
    ...all
      .filter(({ endpoint }) => endpoint !== "GetAllPositions")
      .flatMap(({ positions }) => positions.map(({ row }) => positionKey(row))),
  ]);
  const lagMs = Math.max(0, ...streamed.map(({ exchange }) => exchange.loopLagMs ?? 0));
  return {
    answers: [...streamed, ...unary],
    seen: { all, lagMs, isOpen: (position) => known.has(positionKey(position)) },
  };
});

/** The portfolios of a watch. */
export function portfoliosSeen({ portfolios }: Watch): readonly PositionSighting[] {
  return portfolios.filter(({ outcome }) => outcome.kind === "success").map((answer) => sightingOf(answer, 0));
}

/** The stream messages of a watch, limited to positions of the watched wallet. */
export function messagesSeen({ streams, address }: Watch): readonly PositionSighting[] {
  const messages = streams.slice(0, 1).flatMap(messagesOf);
  return messages.map((message) => ({
    ...message,
    positions: message.positions.filter(({ row }) => row.owner.toLowerCase() === address),
  }));
}

function sightingOf(answer: Answer, index: number): PositionSighting {
  const { exchange, outcome } = answer;
  const endpoint = answer.endpoint === "GetPortfolio" ? "GetPortfolio" : "GetAllPositions";
  const from = Date.parse(exchange.startedAt);
  const body = outcome.kind === "success" ? outcome.body : {};
  const portfolio = endpoint === "GetPortfolio" ? portfolioOf(body) : undefined;
  return {
    endpoint,
    from,
    to: from + exchange.timings.totalMs,
    positions: shownPositions(endpoint, body),
    ...(portfolio && { owner: portfolio.owner, totalUnrealizedPnl: portfolio.totalUnrealizedPnl }),
    answer: index,
  };
}

function messagesOf({ exchange, outcome }: StreamAnswer, answer: number): PositionSighting[] {
  const endpoint = "GetOpenPositionsStreaming";
  const messages = outcome.kind === "success" ? outcome.body.messages : [];
  const positions = shownPositions(endpoint, { messages });
  // The times of messages are relative to when the request was sent.
  const sentAt = Date.parse(exchange.startedAt) + (exchange.timings.sentMs ?? 0);
  return messages.map(({ at }, index) => {
    const list = `messages[${index}].positions`;
    const time = sentAt + at;
    return { endpoint, from: time, to: time, positions: positions.filter((shown) => shown.list === list), answer };
  });
}
