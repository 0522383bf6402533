/** A listing read whole, and its pages held against it (§2 PaginationInfo, P3, P4). */
import fc from "fast-check";
import type { JsonObject, JsonObjectInput } from "../../src/connect/json.js";
import type { Answer, AnswerOf } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext } from "../../src/engine/context.js";
import { explored } from "../../src/engine/explored.js";
import { askedBy } from "../../src/engine/invariant-judgement.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { combine, type Judgement } from "../../src/judge/judgement.js";
import {
  continuesAt,
  effectiveLimit,
  fullPage,
  joined,
  type Page,
  type PagedEndpoint,
  pageOf,
  sameTotal,
  stableRows,
  tiesKeepOrder,
  tiesOf,
  totalIsWhereRowsEnd,
} from "../../src/judge/paging.js";
import { int32Max, pageLimitDefault, pageLimitMax } from "../../src/specification/limits.js";
import { type Listing, listingsOf } from "../../src/subjects/listings.js";

/** Pages that a listing may have, to be read whole; of a longer one its first pages are read. */
const pages = { quick: 3, full: 10 } as const;
/** Rows that two pages share, so that a row that is pushed down meanwhile is not missed. */
const overlap = 50;
/** Rows from the start of such a page to that of the next one. */
export const stride = pageLimitMax - overlap;

/** Page sizes that are tried at places of their own. */
const longest = 50;
const sizes = [1, 7, longest] as const;

/** Pages at places of their own, by profile. */
const placesTried = { quick: 10, full: 60 } as const;

/** Rows around a page that are read again with it, so that ties at its ends are seen whole. */
const around = 10;

/** Pages that are read again at most; fewer where the data kept changing between the readings of so many. */
const readAgain = 5;
const restlessPages = 2;

/** Requests that a check of pages sends at most, beside what is shared: those that read again what differs. */
export const wholeListingBudget = readAgain * 2 * bracketBudget(1, 1);

/** What is to hold of a whole listing and of a page with this limit that skips so many of its rows. */
type OfPages = (whole: Page, page: Page, skipped: number, asked: Pick<Part, "limit" | "offset">) => Judgement;

/** A judgement of the second of two pages alone. */
function inSecond({ violations, ...judgement }: Judgement): Judgement {
  return { ...judgement, violations: violations.map((violation) => ({ ...violation, answer: 1 })) };
}

/**
 * What differs of a page that starts at a place of its own: a row that was pushed on meanwhile is found where it was before on
 * another page, but not the same difference again (P3).
 */
function at(offset: number, { violations, ...judgement }: Judgement): Judgement {
  return {
    ...judgement,
    violations: violations.map(({ row, ...violation }) => ({
      ...violation,
      ...(row !== undefined && { row: `${offset} ${row}` }),
    })),
  };
}

/** A page is the part of the whole that its offset says (§2 PaginationInfo). */
export function partsMakeTheWhole(endpoint: PagedEndpoint, context: CheckContext): Promise<void> {
  return judgeParts(endpoint, context, continuesAt);
}

/** Rows of one instant keep their order from page to page (P4). */
export function tiesStayInPlace(endpoint: PagedEndpoint, context: CheckContext): Promise<void> {
  return judgeParts(endpoint, context, tiesKeepOrder);
}

/** Every page tells the same total, which is where the rows end (§2 PaginationInfo). */
export function pagesHaveTheSameTotal(endpoint: PagedEndpoint, context: CheckContext): Promise<void> {
  return judgeParts(endpoint, context, (whole, page, _, asked) =>
    combine([sameTotal(whole, [page]), inSecond(totalIsWhereRowsEnd(page, asked))]),
  );
}

/** A page holds as many rows as its limit and the total leave (P3), as far as that is no matter of defaults and of the cap. */
export function pagesAreFull(endpoint: PagedEndpoint, context: CheckContext): Promise<void> {
  const holds: OfPages = (_, page, __, asked) => inSecond(fullPage(page, asked));
  return judgeParts(endpoint, context, holds, async (listings) => {
    const parts = [
      ...(await chosenParts(endpoint, listings, context)),
      ...(await pagesOfTheWhole(endpoint, listings, context)),
    ];
    return parts.filter(({ limit }) => limit <= pageLimitMax);
  });
}

/** Pairs of explored pages that are read again when their totals differ. */
const totalsReadAgain = 3;

/** Requests that {@link totalsAgree} sends at most. */
export const totalsBudget = totalsReadAgain * bracketBudget(1, 1);

/** Explored pages of the same records tell the same total, wherever they begin. What differs is read again (P3). */
export async function totalsAgree(endpoint: PagedEndpoint, context: CheckContext): Promise<void> {
  const { ask, bracket, required, subjects, verify } = context;
  const { exchanges } = await explored(context, endpoint);
  const first = new Map<string, AnswerOf<JsonObject>>();
  const pairs = exchanges.flatMap(({ answer }): [AnswerOf<JsonObject>, AnswerOf<JsonObject>][] => {
    const asked = answer.outcome.kind === "success" ? askedBy(answer, subjects) : undefined;
    if (!asked) return [];
    const filter = JSON.stringify([asked.wallet, asked.onlyOpen]);
    const page = answer as AnswerOf<JsonObject>;
    const other = first.get(filter);
    first.set(filter, other ?? page);
    return other ? [[other, page]] : [];
  });
  required(pairs[0], `needs two pages of the same records that ${endpoint} lists`);
  const judge = (one: JsonObject, other: JsonObject) => sameTotal(pageOf(endpoint, one), [pageOf(endpoint, other)]);
  let left = totalsReadAgain;
  for (const [one, other] of pairs) {
    const bodies = [one, other].map(({ outcome }) => (outcome.kind === "success" ? outcome.body : {}));
    const judgement = judge(bodies[0] ?? {}, bodies[1] ?? {});
    if (judgement.violations.length === 0) verify(one, other).satisfies(judgement);
    else if (left-- > 0) {
      const again = await bracket(
        () => ask(endpoint, one.request as JsonObjectInput),
        () => ask(endpoint, other.request as JsonObjectInput),
        (body: JsonObject) => stableRows(pageOf(endpoint, body)),
      );
      verify(...again).satisfies(judge);
    }
  }
}

interface Part {
  readonly listing: Listing;
  readonly offset: number;
  readonly limit: number;
  readonly answer: Answer;
}

/**
 * Holds the pages of a listing against the whole: those that were explored, and some of other sizes, which begin and end between
 * rows of one instant where there are such. What differs is read again, beside the rows around it.
 */
async function judgeParts(
  endpoint: PagedEndpoint,
  context: CheckContext,
  holds: OfPages,
  partsOf = async (listings: readonly Listing[]): Promise<readonly Part[]> => [
    ...(await exploredParts(endpoint, listings, context)),
    ...(await chosenParts(endpoint, listings, context)),
  ],
): Promise<void> {
  const listings = listingsOf(context.subjects, endpoint, 2);
  context.required(listings[0], `needs 2 records that ${endpoint} lists`);
  let left = readAgain;
  let restless = 0;
  for (const part of await partsOf(listings)) {
    if (part.answer.outcome.kind !== "success") continue;
    const { page: whole } = await wholeListing(context, endpoint, part.listing);
    const judgement = holds(whole, pageOf(endpoint, part.answer.outcome.body), part.offset, part);
    if (judgement.violations.length === 0) context.verify(part.answer).satisfies(judgement);
    else if (left-- > 0 && restless < restlessPages) {
      if (!(await judgeAgain(endpoint, part, context, holds))) restless++;
    }
  }
}

/**
 * Data that changed since the whole was read are not held against the target; a page that differs again is: from the rows around
 * it, which are likely to stand still so long, or from the page of the whole that holds it.
 *
 * @returns whether the data stood still for either reading
 */
async function judgeAgain(
  endpoint: PagedEndpoint,
  part: Part,
  context: CheckContext,
  holds: OfPages,
): Promise<boolean> {
  const { listing, offset, limit } = part;
  const start = Math.max(0, offset - around);
  const near = { ...listing.filter, limit: Math.min(pageLimitMax, limit + 2 * around), offset: start };
  const wide = { ...listing.filter, limit: pageLimitMax, offset: Math.floor(offset / stride) * stride };
  const beside = await judgeBeside(near, endpoint, part, context, holds);
  if (beside === "differs") return true;
  return (await judgeBeside(wide, endpoint, part, context, holds)) !== undefined || beside !== undefined;
}

/** @returns whether the page differs from a longer one that is read beside it; undefined when the data kept changing */
async function judgeBeside(
  window: { readonly limit: number; readonly offset: number },
  endpoint: PagedEndpoint,
  part: Part,
  { ask, bracket, note, verify }: CheckContext,
  holds: OfPages,
): Promise<"differs" | "agrees" | undefined> {
  let differs = false;
  try {
    const [wider, again] = await bracket(
      () => ask(endpoint, window),
      () => ask(endpoint, part.answer.request as JsonObjectInput),
      (body: JsonObject) => stableRows(pageOf(endpoint, body)),
    );
    verify(wider, again).satisfies((one, other) => {
      const skipped = part.offset - window.offset;
      const judgement = at(part.offset, inSecond(holds(pageOf(endpoint, one), pageOf(endpoint, other), skipped, part)));
      differs = judgement.violations.length > 0;
      return judgement;
    });
  } catch (signal) {
    if (!(signal instanceof Inconclusive)) throw signal;
    note(signal.message);
    return undefined;
  }
  return differs ? "differs" : "agrees";
}

/** A listing that was read whole, or its first rows where it is long. */
export interface WholeListing {
  /** The first page first. */
  readonly answers: readonly Answer[];
  /** All pages as one, up to the first that was not answered. */
  readonly page: Page;
}

/**
 * Reads a listing from its end to its start, so that a row that has been in it all the time is not missed although others come
 * or move to the front meanwhile. Read once for all checks.
 */
export function wholeListing(
  { sharedRead, profile, runSeed }: CheckContext,
  endpoint: PagedEndpoint,
  { filter, total }: Listing,
): Promise<WholeListing> {
  const last = Math.min(pages[profile], Math.max(1, Math.ceil((total - overlap) / stride))) - 1;
  return sharedRead(`the listing of ${endpoint} ${JSON.stringify(filter)}`, 2 * (last + 1), async ({ ask }) => {
    const answers: Answer[] = [];
    for (let page = last; page >= 0; page--) {
      answers.unshift(await ask(endpoint, { ...filter, ...pageAt(page, runSeed) }));
    }
    const read: Page[] = [];
    for (const { outcome } of answers) {
      if (outcome.kind !== "success") break;
      read.push(pageOf(endpoint, outcome.body));
    }
    const nothing: Page = { field: "orders", rows: [], pagination: undefined, isLast: false };
    return { answers, page: read.length > 0 ? joined(read) : nothing };
  });
}

/** A page by which a listing is read whole: the first one has the greatest limit, the others have a little less. */
export function pageAt(page: number, seed: number): { readonly limit: number; readonly offset: number } {
  const limit = page === 0 ? pageLimitMax : pageLimitMax - 1 - (Math.abs(seed) % (overlap / 2));
  return { limit, offset: page * stride };
}

/** The pages by which listings are read whole. */
async function pagesOfTheWhole(
  endpoint: PagedEndpoint,
  listings: readonly Listing[],
  context: CheckContext,
): Promise<readonly Part[]> {
  const wholes = listings.map(async (listing) => {
    const { answers } = await wholeListing(context, endpoint, listing);
    return answers.map((answer, page) => ({
      listing,
      ...pageAt(page, context.runSeed),
      answer,
    }));
  });
  return (await Promise.all(wholes)).flat();
}

/** The explored pages of listings that are read whole. */
async function exploredParts(
  endpoint: PagedEndpoint,
  listings: readonly Listing[],
  context: CheckContext,
): Promise<readonly Part[]> {
  const { exchanges } = await explored(context, endpoint);
  return exchanges.flatMap(({ answer }): Part[] => {
    const asked = answer.outcome.kind === "success" ? askedBy(answer, context.subjects) : undefined;
    const listing =
      asked &&
      listings.find(
        ({ filter: { address, onlyOpen = false } }) => address === asked.wallet && onlyOpen === asked.onlyOpen,
      );
    if (!asked || !listing) return [];
    const { limit, offset = 0 } = asked;
    return [{ listing, offset, limit: effectiveLimit(limit), answer: answer as Answer }];
  });
}

/** Pages of different sizes at places of their own: anywhere, within rows of one instant, and at each end. Read once for all checks. */
async function chosenParts(
  endpoint: PagedEndpoint,
  listings: readonly [Listing, ...Listing[]] | readonly Listing[],
  context: CheckContext,
): Promise<readonly Part[]> {
  const { profile, runSeed, sharedRead } = context;
  const [all, ...filtered] = listings;
  if (!all) return [];
  const tied = await Promise.all(
    listings.map(async (listing) => ({ listing, ties: tiesOf((await wholeListing(context, endpoint, listing)).page) })),
  );
  const ties = tied[0]?.ties ?? [];
  const anywhere = fc.integer({ min: 0, max: all.total - 2 });
  const inTies = () => fc.constantFrom(...ties).chain(({ from, to }) => fc.integer({ min: from + 1, max: to - 1 }));
  const arbitrary = fc.record({
    listing: fc.oneof({ weight: 3, arbitrary: fc.constant(all) }, ...filtered.map((each) => fc.constant(each))),
    start: ties.length > 0 ? fc.oneof(inTies(), anywhere) : anywhere,
    endsThere: fc.boolean(),
    size: fc.constantFrom(...sizes),
  });
  const chosen = fc.sample(arbitrary, { numRuns: sampleSize(placesTried[profile], context), seed: runSeed });
  const places = chosen.map(({ listing, start, endsThere, size }) => {
    const place = start % listing.total;
    return { listing, offset: endsThere ? Math.max(0, place - size) : place, limit: size };
  });
  // Amid the most rows of one instant that each listing has.
  const amid = tied.flatMap(({ listing, ties: found }) => {
    const [most] = found.toSorted((a, b) => b.to - b.from - (a.to - a.from));
    return most
      ? [{ listing, offset: most.from + 1 + (Math.abs(runSeed) % (most.to - most.from - 1)), limit: longest }]
      : [];
  });
  // With the greatest limit too: beside an offset it may be more than 32 bits hold.
  const ends = listings.map((listing, index) => ({
    listing,
    offset: Math.max(0, listing.total - 3),
    limit: index === 0 ? int32Max : pageLimitMax,
  }));
  // Pages that end exactly where the listing does, and are full.
  const last = 2 + (Math.abs(runSeed) % (longest - 1));
  const exact = listings
    .filter(({ total }) => total > last)
    .map((listing) => ({ listing, offset: listing.total - last, limit: last }));
  // From one side of the cap to the other: as many rows as a page has may be all that can be reached.
  const across = listings
    .filter(({ total }) => total > pageLimitMax + longest)
    .map((listing) => ({
      listing,
      offset: pageLimitMax - 1 - (Math.abs(runSeed) % (longest - 1)),
      limit: longest,
    }));
  // A single row may be looked up in another way than a page.
  const tops = listings.map((listing) => ({ listing, offset: 0, limit: 1 }));
  // A limit of which 8 bits hold nothing may be taken for none: where there are a few more rows than that brings.
  const ofBytes = { listing: all, offset: Math.max(0, all.total - pageLimitDefault - 9), limit: 256 };
  // Pages that are alike in where they end, or in their digits, but not in what they hold: 1 from 10 on is not 11 from 0 on.
  const skipped = 1 + (Math.abs(runSeed) % 19);
  const alike = [
    { listing: all, offset: 0, limit: 20 },
    { listing: all, offset: skipped, limit: 20 - skipped },
    { listing: all, offset: 0, limit: 11 },
    { listing: all, offset: 10, limit: 1 },
  ];
  // The first offset at which there is nothing any more.
  const behind = { listing: all, offset: all.total, limit: longest };
  const pagesRead = [...places, ...amid, ...ends, ...exact, ...across, ...tops, ofBytes, ...alike, behind];
  return sharedRead(`pages of ${endpoint}`, 2 * pagesRead.length, ({ ask }) =>
    Promise.all(
      pagesRead.map(async ({ listing, offset, limit }): Promise<Part> => {
        const request = { ...listing.filter, limit, ...(offset > 0 && { offset }) };
        return { listing, offset, limit, answer: await ask(endpoint, request) };
      }),
    ),
  );
}
