/** A listing read whole, and its pages held against it (§2 PaginationInfo, P3). */
import fc from "fast-check";
import type { JsonObject, JsonObjectInput } from "../connect/json.js";
import {
  continuesAt,
  effectiveLimit,
  joined,
  type Page,
  type PagedEndpoint,
  pageOf,
  stillRows,
  tiesOf,
} from "../judge/paging.js";
import { pageLimitMax } from "../spec/limits.js";
import { type Listing, listingsOf } from "../subjects/listings.js";
import type { Answer } from "./answer.js";
import type { CheckContext } from "./context.js";
import { askedBy, explored } from "./explored.js";
import { Inconclusive } from "./signals.js";

/** Pages that a listing may have, to be read whole; of a longer one its first pages are read. */
const pages = { quick: 3, full: 10 } as const;
/** Rows that two pages share, so that a row that is pushed down meanwhile is not missed. */
const overlap = 50;
const stride = pageLimitMax - overlap;

/** Page sizes that are tried at places of their own: one row, a few, the default, the most. */
const sizes = [1, 7, 50, 1_000] as const;

/** Pages at places of their own, by profile. */
const placesTried = { quick: 6, full: 40 } as const;

/** Requests that {@link partsMakeTheWhole} sends at most beside what is shared. */
export const wholeListingBudget = { quick: 6 + 40, full: 40 + 200 } as const;

/**
 * Reads a listing from its end to its start, so that a row that has been in it all the time is not missed although others come
 * or move to the front meanwhile. Read once for all checks.
 */
function wholeListing(
  { sharedReading, profile }: CheckContext,
  endpoint: PagedEndpoint,
  listing: Listing,
): Promise<Page> {
  const { filter, total } = listing;
  const last = Math.min(pages[profile], Math.max(1, Math.ceil((total - overlap) / stride))) - 1;
  const name = `the listing of ${endpoint} ${JSON.stringify(filter)}`;
  return sharedReading(name, 2 * (last + 1), async ({ ask }) => {
    const read: Page[] = [];
    for (let page = last; page >= 0; page--) {
      const { outcome } = await ask(endpoint, { ...filter, limit: pageLimitMax, offset: page * stride });
      if (outcome.kind === "success") read.unshift(pageOf(endpoint, outcome.body));
    }
    return read.length > 0 ? joined(read) : { field: "orders", rows: [], pagination: undefined, isLast: false };
  });
}

interface Part {
  readonly listing: Listing;
  readonly offset: number;
  readonly limit: number;
  readonly answer: Answer;
}

/**
 * Asserts that the pages of a listing are the parts of the whole: those that were explored, and some of other sizes, which
 * begin and end between rows of one instant where there are such. What differs is read again beside the rows around it.
 */
export async function partsMakeTheWhole(endpoint: PagedEndpoint, context: CheckContext): Promise<void> {
  const listings = listingsOf(context.subjects, endpoint, 2);
  context.need(listings[0], `needs 2 records that ${endpoint} lists`);
  const parts = [
    ...(await exploredParts(endpoint, listings, context)),
    ...(await chosenParts(endpoint, listings, context)),
  ];
  const outcomes = await Promise.allSettled(parts.map((part) => judgePart(endpoint, part, context)));
  const judged = outcomes.some(({ status }) => status === "fulfilled");
  for (const outcome of outcomes) {
    if (outcome.status === "rejected" && !(judged && outcome.reason instanceof Inconclusive)) throw outcome.reason;
  }
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
    const listing = asked && listings.find(({ filter }) => isFilter(filter, asked.wallet, asked.onlyOpen));
    if (!asked || !listing) return [];
    const { limit, offset = 0 } = asked;
    return [{ listing, offset, limit: effectiveLimit(limit), answer: answer as Answer }];
  });
}

function isFilter({ address, onlyOpen = false }: JsonObjectInput, wallet: string | undefined, open: boolean): boolean {
  return address === wallet && onlyOpen === open;
}

/** Pages of different sizes at places of their own: anywhere, and within rows of one instant. */
async function chosenParts(
  endpoint: PagedEndpoint,
  listings: readonly Listing[],
  context: CheckContext,
): Promise<readonly Part[]> {
  const { ask, profile, seed } = context;
  const [all, ...filtered] = listings;
  if (!all) return [];
  const ties = tiesOf(await wholeListing(context, endpoint, all));
  const anywhere = fc.integer({ min: 0, max: Math.max(0, all.total - 2) });
  const inTies =
    ties.length > 0
      ? fc.constantFrom(...ties).chain(({ from, to }) => fc.integer({ min: from + 1, max: to - 1 }))
      : anywhere;
  const place = fc.record({
    listing: fc.oneof(
      { weight: 3, arbitrary: fc.constant(all) },
      ...filtered.map((listing) => ({ weight: 1, arbitrary: fc.constant(listing) })),
    ),
    start: fc.oneof(inTies, anywhere),
    endsThere: fc.boolean(),
    size: fc.constantFrom(...sizes.slice(0, 3)),
  });
  const chosen = fc.sample(place, { numRuns: placesTried[profile], seed });
  return Promise.all(
    chosen.map(async ({ listing, start, endsThere, size }) => {
      const place = start % Math.max(1, listing.total);
      const offset = endsThere ? Math.max(0, place - size) : place;
      return { listing, offset, limit: size, answer: await ask(endpoint, { ...listing.filter, limit: size, offset }) };
    }),
  );
}

async function judgePart(endpoint: PagedEndpoint, { listing, offset, limit, answer }: Part, context: CheckContext) {
  const { ask, bracket, verify } = context;
  const whole = await wholeListing(context, endpoint, listing);
  verify(answer).satisfies(() => ({ examined: 0, violations: [] }));
  if (answer.outcome.kind !== "success" || offset >= whole.rows.length) return;
  const judgement = continuesAt(whole, pageOf(endpoint, answer.outcome.body), offset);
  if (judgement.violations.length === 0) return verify(answer).satisfies(() => judgement);
  // A few rows around the page, so that ties at its ends are seen whole.
  const start = Math.max(0, offset - around);
  const window = { ...listing.filter, limit: Math.min(pageLimitMax, limit + 2 * around), offset: start };
  const [wider, again] = await bracket(
    () => ask(endpoint, window),
    () => ask(endpoint, answer.request as JsonObjectInput),
    (body: JsonObject) => stillRows(pageOf(endpoint, body)),
  );
  verify(wider, again).satisfies((one, other) =>
    continuesAt(pageOf(endpoint, one), pageOf(endpoint, other), offset - start),
  );
}

const around = 10;
