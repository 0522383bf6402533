/** A wallet watched for a few seconds, in every operation that shows its positions: what moves, and what does not (R17, T4). */
import type { Exchange } from "../../src/connect/exchange.js";
import type { Answer, AnswerOf, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { portfolioOf } from "../../src/judge/read.js";
import { positionKey } from "../../src/judge/read-stored.js";
import { type ShownBody, shownPositions } from "../../src/judge/shown.js";
import type { Sighting, Sightings } from "../../src/judge/stale.js";
import { missingData } from "../../src/subjects/hints.js";
import { openPositions, walletToWatch } from "../../src/subjects/select.js";
import { hasSnapshot } from "./resources.js";

/**
 * When the portfolio and the listing are read, in milliseconds after their first answers. Not in step: a price that moves back
 * and forth is not to be met always at the same point. The last ones of the listing are far enough apart that no cache makes them
 * one (P3), and late enough that what opened meanwhile has been open for long enough (T4). Portfolios are read more often, since
 * one that is kept for some seconds may be renewed meanwhile: what is left on either side has to be enough to tell.
 */
const readAt: readonly { readonly ms: number; readonly listing: boolean }[] = [
  { ms: 0, listing: true },
  { ms: 430, listing: true },
  { ms: 1_120, listing: true },
  { ms: 1_600, listing: true },
  { ms: 2_250, listing: true },
  { ms: 2_790, listing: false },
  { ms: 3_380, listing: true },
  { ms: 3_940, listing: false },
  { ms: 4_500, listing: true },
  { ms: 5_060, listing: false },
  { ms: 5_620, listing: true },
  { ms: 6_150, listing: false },
];

/** When the portfolio of a busy wallet is read: a little longer, for what happens late to be seen for long enough. */
const busyReadAt: typeof readAt = [...readAt.map(({ ms }) => ms), 6_900, 8_200].map((ms) => ({ ms, listing: false }));

/** How long the stream is waited for after the last read, in milliseconds. */
const streamGraceMs = 1_500;

const streamIntervalMs = 200;

/** Rows of the listing that are read each time: the newest, among which are those of positions that are open. */
const newestPositions = 100;

/** Requests of a watch; some may have to be sent again. */
const watchBudget = 2 * (1 + 2 * readAt.length);

/** Wallets whose positions open while another is watched, and which are watched next. */
const BUSY_WALLETS = 3;

/** Requests that {@link watchBusyWallets} sends at most. */
export const busyWalletsBudget = BUSY_WALLETS * watchBudget;

/** What was watched of a wallet. */
export interface Watch {
  readonly address: string;
  readonly portfolios: readonly Answer[];
  readonly listings: readonly Answer[];
  /** Absent where the operation does not exist. */
  readonly stream?: StreamAnswer;
}

/**
 * Watches a wallet with open positions: its portfolio, the newest positions of the platform, and its stream beside them. Once
 * in a run, for all who judge moving data.
 */
export async function watchMovingData(context: CheckContext): Promise<Watch> {
  const { required, subjects, sharedRead } = context;
  const { address } = required(walletToWatch(subjects), missingData(subjects, "walletWithOpenPositions"));
  return sharedRead("a wallet while the data move", watchBudget, (words) =>
    watchWallet(address, readAt, subjects, words),
  );
}

/** Watches the wallets that opened positions while another one was watched: those of a platform at rest are none. */
export async function watchBusyWallets(
  { sharedRead, subjects }: CheckContext,
  { address, listings }: Watch,
): Promise<readonly Watch[]> {
  const bodies = listings.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.body] : []));
  const [first, last] = [bodies[0], bodies.at(-1)].map((body) =>
    body ? shownPositions("GetAllPositions", body).map(({ row }) => row) : [],
  );
  const before = new Set(first?.map(positionKey));
  const opened = (last ?? []).filter((row) => !before.has(positionKey(row)));
  const busy = new Set(opened.map(({ owner }) => owner.toLowerCase()));
  busy.delete(address);
  return Promise.all(
    [...busy]
      .slice(0, BUSY_WALLETS)
      .map((each) =>
        sharedRead(`the wallet ${each} while the data move`, watchBudget, (words) =>
          watchWallet(each, busyReadAt, subjects, words),
        ),
      ),
  );
}

async function watchWallet(
  address: string,
  reads: typeof readAt,
  { broken }: CheckContext["subjects"],
  { ask, listen, pause }: ReadContext,
): Promise<Watch> {
  const isThere = (endpoint: string) =>
    !broken.some(({ operation, kind }) => operation === endpoint && kind === "absent");
  const portfolios: Answer[] = [];
  const listings: Answer[] = [];
  /** Reads once more what was a success the first time. */
  const read = async (answers: Answer[], asked: () => Promise<Answer>) => {
    if (answers[0] === undefined || answers[0].outcome.kind === "success") answers.push(await asked());
  };
  const readPortfolio = () => read(portfolios, () => ask("GetPortfolio", { owner: address }));
  const readListing = () => read(listings, () => ask("GetAllPositions", { limit: newestPositions }));
  let done: number | undefined;
  const stream = isThere("GetOpenPositionsStreaming")
    ? listen({ address, updateIntervalMs: streamIntervalMs }, (frames, elapsedMs) => {
        if (done === undefined) return false;
        return frames.length > 0 || elapsedMs > done + streamGraceMs;
      })
    : undefined;
  const opened = performance.now();
  let started = opened;
  try {
    for (const { ms, listing } of reads) {
      await pause(Math.max(0, started + ms - performance.now()));
      await Promise.all([
        isThere("GetPortfolio") ? readPortfolio() : undefined,
        listing && isThere("GetAllPositions") ? readListing() : undefined,
      ]);
      if (ms === 0) started = performance.now();
    }
  } finally {
    done = performance.now() - opened;
  }
  const streamed = await stream;
  return { address, portfolios, listings, ...(streamed && { stream: streamed }) };
}

/** What a watch showed, with the answers that show it: the stream first, where it brought a message. */
export function sightingsOf(
  { subjects }: Pick<CheckContext, "subjects">,
  { portfolios, listings, stream }: Watch,
): { readonly answers: readonly AnswerOf<ShownBody>[]; readonly seen: Sightings } {
  const streamed = stream && hasSnapshot(stream) ? [stream] : [];
  const unary = [...portfolios, ...listings].filter(({ outcome }) => outcome.kind === "success");
  const all = [
    ...streamed.flatMap((answer) => messagesOf(answer, 0)),
    ...unary.map((answer, index) => sightingOf(answer, streamed.length + index)),
  ];
  const known = new Set([
    ...openPositions(subjects).map(positionKey),
    ...all
      .filter(({ endpoint }) => endpoint !== "GetAllPositions")
      .flatMap(({ positions }) => positions.map(({ row }) => positionKey(row))),
  ]);
  const lagMs = streamed[0]?.exchange.loopLagMs ?? 0;
  return {
    answers: [...streamed, ...unary],
    seen: { all, lagMs, isOpen: (position) => known.has(positionKey(position)) },
  };
}

/** The portfolios of a watch. */
export function portfoliosSeen({ portfolios }: Watch): readonly Sighting[] {
  return portfolios.filter(({ outcome }) => outcome.kind === "success").map((answer) => sightingOf(answer, 0));
}

/** The messages of the stream of a watch, with the positions of the watched wallet. */
export function messagesSeen({ stream, address }: Watch): readonly Sighting[] {
  if (stream === undefined) return [];
  return messagesOf(stream, 0).map((message) => ({
    ...message,
    positions: message.positions.filter(({ row }) => row.owner.toLowerCase() === address),
  }));
}

function sightingOf(answer: Answer, index: number): Sighting {
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
    ...(portfolio && { totalUnrealizedPnl: portfolio.totalUnrealizedPnl }),
    answer: index,
  };
}

function messagesOf({ exchange, outcome }: StreamAnswer, answer: number): Sighting[] {
  const endpoint = "GetOpenPositionsStreaming";
  const messages = outcome.kind === "success" ? outcome.body.messages : [];
  const positions = shownPositions(endpoint, { messages });
  return messages.map(({ at }, index) => {
    const list = `messages[${index}].positions`;
    const time = sentAt(exchange) + at;
    return { endpoint, from: time, to: time, positions: positions.filter((shown) => shown.list === list), answer };
  });
}

/** When a request was on its way, in milliseconds since 1970: times of frames count from there. */
function sentAt({ startedAt, timings }: Exchange): number {
  return Date.parse(startedAt) + (timings.sentMs ?? 0);
}
