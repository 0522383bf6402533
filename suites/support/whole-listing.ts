/** A whole listing, and its pages compared with it (§2 PaginationInfo, P3, P4). */
import type { JsonObject, JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { exploredAnswers } from "../../src/engine/explored.js";
import { parsedRequestOf } from "../../src/engine/invariant-judgement.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { combine, type Judgement } from "../../src/judge/judgement.js";
import { continuesAt, tiesKeepOrder, tiesOf } from "../../src/judge/overlapping-pages.js";
import { effectiveLimit, joinPages, type Page, pageOf, stableRows } from "../../src/judge/page.js";
import { fullPage, sameTotalCount, totalIsWhereRowsEnd } from "../../src/judge/paging.js";
import type { ParsedRequest } from "../../src/judge/parsed-request.js";
import type { PagedEndpoint } from "../../src/specification/endpoints.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import { type FilteredListing, listingsOf } from "../../src/subjects/listings.js";
import { type ChosenPage, chosenPages } from "./chosen-pages.js";
import { type PageRead, type PageWindow, pageBefore, pagesThrough, readBackwards } from "./page-windows.js";
import { verifyPassing } from "./verify-passing.js";

/** Maximum number of full pages read of a listing. Of a longer listing, only the first ones are read. */
const pagesRead = { quick: 3, full: 10 } as const;

/** How many pages at random offsets are tried, by profile. */
const placesTried = { quick: 10, full: 60 } as const;

/** Rows around a page that are read again with it, so that ties at its ends are fully visible. */
const around = 10;

/** How many pages are read again at most, and how many with changing data until it gives up. */
const readAgain = 5;
const maxUnstablePages = 2;

/** Judges a page against the whole listing, given how many rows it skips and what it asked for. */
type PageJudge = (whole: Page, page: Page, skipped: number, asked: PageWindow) => Judgement;

/** The paged operation that a check is about. */
function pagedOf({ endpoint }: CheckContext): PagedEndpoint {
  return endpoint as PagedEndpoint;
}

/** Attributes the violations to the second of two pages. */
function inSecond({ violations, ...judgement }: Judgement): Judgement {
  return { ...judgement, violations: violations.map((violation) => ({ ...violation, answer: 1 })) };
}

/**
 * Tags violating rows with the offset of their page, so that a violation only counts as repeated at the same offset. A row
 * pushed down in the meantime may differ on another page, but not at the same offset again (P3).
 */
function identifiedByOffset(offset: number, { violations, ...judgement }: Judgement): Judgement {
  return {
    ...judgement,
    violations: violations.map(({ row, ...violation }) => ({
      ...violation,
      ...(row !== undefined && { row: `${offset} ${row}` }),
    })),
  };
}

/** Asserts that a page is the part of the whole listing that its offset says (§2 PaginationInfo). */
export function pagesMatchWholeListing(context: CheckContext): Promise<void> {
  return judgeParts(context, continuesAt);
}

/** Asserts that rows with the same timestamp keep their order across pages (P4). */
export function tieOrderIsStable(context: CheckContext): Promise<void> {
  return judgeParts(context, tiesKeepOrder);
}

/** Asserts that every page reports the same total, and that the rows end there (§2 PaginationInfo). */
export function pagesHaveTheSameTotal(context: CheckContext): Promise<void> {
  return judgeParts(context, (whole, page, _, asked) =>
    combine([sameTotalCount(whole, [page]), inSecond(totalIsWhereRowsEnd(page, asked))]),
  );
}

/**
 * Asserts that a page has as many rows as its limit and the total allow (P3). Limits affected by the default or the cap are
 * left to other rules.
 */
export function pagesAreFull(context: CheckContext): Promise<void> {
  const holds: PageJudge = (_, page, __, asked) => inSecond(fullPage(page, asked));
  return judgeParts(context, holds, async (listings) => {
    const parts = [...(await chosenParts(context, listings)), ...(await pagesOfTheWhole(context, listings))];
    return parts.filter(({ limit }) => limit <= pageLimitMax);
  });
}

/** How many pairs of explored pages are read again when their totals differ. */
const totalsReadAgain = 3;

/**
 * Asserts that explored pages of the same records report the same total, whatever their offset. Pairs that differ are read
 * again (P3).
 */
export async function totalsAgree(context: CheckContext): Promise<void> {
  const { ask, bodyOf, bracket, required, verify } = context;
  const endpoint = pagedOf(context);
  const first = new Map<string, Answer>();
  const pairs = (await exploredPages(context)).flatMap(({ answer, asked }): [Answer, Answer][] => {
    const filter = JSON.stringify([asked.wallet, asked.onlyOpen]);
    const other = first.get(filter);
    first.set(filter, other ?? answer);
    return other ? [[other, answer]] : [];
  });
  required(pairs[0], `needs two pages of the same records that ${endpoint} lists`);
  const judge = (one: JsonObject, other: JsonObject) =>
    sameTotalCount(pageOf(endpoint, one), [pageOf(endpoint, other)]);
  const differing = await verifyPassing(context, pairs, totalsReadAgain, ([one, other]) => [
    judge(bodyOf(one), bodyOf(other)),
    one,
    other,
  ]);
  for (const [one, other] of differing) {
    const again = await bracket(
      () => ask(endpoint, one.request as JsonObjectInput),
      () => ask(endpoint, other.request as JsonObjectInput),
      (body) => stableRows(pageOf(endpoint, body)),
    );
    verify(...again).satisfies(judge);
  }
}

/** A page of a listing, and the answer that shows it. */
interface Part extends ChosenPage {
  readonly answer: Answer;
}

/**
 * Compares pages of a listing with the whole: explored pages, some of other sizes, which start and end between rows of the
 * same timestamp if there are any, and those that the whole was read from, each of which begins before the previous one
 * ends. Pages that differ are read again together with the rows around them.
 */
async function judgeParts(
  context: CheckContext,
  holds: PageJudge,
  partsOf = async (listings: readonly FilteredListing[]): Promise<readonly Part[]> => [
    ...(await exploredParts(context, listings)),
    ...(await chosenParts(context, listings)),
    ...(await pagesOfTheWhole(context, listings)),
  ],
): Promise<void> {
  const endpoint = pagedOf(context);
  const listings = listingsOf(context.subjects, endpoint, 2);
  context.required(listings[0], `needs 2 records that ${endpoint} lists`);
  const differing = await verifyPassing(context, await partsOf(listings), readAgain, async (part) => {
    const { answer, listing, offset } = part;
    if (answer.outcome.kind !== "success") return undefined;
    const { whole } = await wholeListing(context, endpoint, listing);
    return [holds(whole, pageOf(endpoint, answer.outcome.body), offset, part), answer];
  });
  let unstable = 0;
  for (const part of differing) {
    const isStable = await judgeAgain(context, part, holds);
    if (!isStable && ++unstable === maxUnstablePages) return;
  }
}

/**
 * Reads a differing page again, so that the target is not blamed for data that changed since the whole was read. The page is
 * compared with the rows around it, which are likely to stay stable for so short a time, and then with the page of the whole
 * that begins before it.
 *
 * @returns whether the data stayed stable for one of the two
 */
async function judgeAgain(context: CheckContext, part: Part, holds: PageJudge): Promise<boolean> {
  const { listing, offset, limit } = part;
  const start = Math.max(0, offset - around);
  const near = { ...listing.filter, limit: Math.min(pageLimitMax, limit + 2 * around), offset: start };
  const wide = { ...listing.filter, ...pageBefore(offset) };
  const beside = await judgeBeside(context, part, near, holds);
  if (beside === "differs") return true;
  return (await judgeBeside(context, part, wide, holds)) !== undefined || beside !== undefined;
}

/**
 * Reads a page next to a longer one and judges it.
 *
 * @returns whether the page differs from the longer one; undefined when the data kept changing
 */
function judgeBeside(
  context: CheckContext,
  part: Part,
  window: JsonObjectInput & PageWindow,
  holds: PageJudge,
): Promise<"differs" | "agrees" | undefined> {
  const endpoint = pagedOf(context);
  const page = (body: JsonObject) => pageOf(endpoint, body);
  return judgePageBeside(context, part, {
    read: () => context.ask(endpoint, window),
    stable: (body) => stableRows(page(body)),
    judge: (wider, again) => holds(page(wider), page(again), part.offset - window.offset, part),
  });
}

/** An answer that shows the rows of a page and more. */
interface WiderAnswer {
  readonly read: () => Promise<Answer>;
  /** What of it must not change meanwhile (P3), as comparable text. */
  readonly stable: (body: JsonObject) => string;
  /** Judges the page by it. */
  readonly judge: (wider: JsonObject, page: JsonObject) => Judgement;
}

/**
 * Reads a page next to a wider answer and judges it.
 *
 * @returns whether the page differs from the wider answer; undefined when the data kept changing
 */
export async function judgePageBeside(
  { ask, bracket, note, verify }: CheckContext,
  { offset, answer }: Pick<Part, "offset" | "answer">,
  { read, stable, judge }: WiderAnswer,
): Promise<"differs" | "agrees" | undefined> {
  const again = () => ask(answer.endpoint as PagedEndpoint, answer.request as JsonObjectInput);
  let differs = false;
  try {
    const [wider, page] = await bracket(read, again, stable);
    verify(wider, page).satisfies((one, other) => {
      const judgement = identifiedByOffset(offset, inSecond(judge(one, other)));
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

/** A listing that was read whole, or its first pages if it is long. */
export interface WholeListing {
  /** The pages that it was read in, in order. */
  readonly pages: readonly PageRead[];
  /** All of them merged, up to the first one that failed. */
  readonly whole: Page;
}

/**
 * Reads a listing from its end to its start, so that no row that was there all along is missed when others are inserted or
 * moved to the front. Shared by the checks of a worker.
 */
export function wholeListing(
  { sharedRead, profile, runSeed }: CheckContext,
  endpoint: PagedEndpoint,
  { filter, total }: FilteredListing,
): Promise<WholeListing> {
  return sharedRead(`the listing of ${endpoint} ${JSON.stringify(filter)}`, async ({ ask }) => {
    const windows = pagesThrough(Math.min(total, pagesRead[profile] * pageLimitMax), runSeed);
    const pages = await readBackwards(windows, (window) => ask(endpoint, { ...filter, ...window }));
    const shown: Page[] = [];
    for (const { answer } of pages) {
      if (answer.outcome.kind !== "success") break;
      shown.push(pageOf(endpoint, answer.outcome.body));
    }
    return { pages, whole: shown.length > 0 ? joinPages(shown) : pageOf(endpoint, {}) };
  });
}

/** The pages that were read of whole listings, as parts to judge. */
async function pagesOfTheWhole(context: CheckContext, listings: readonly FilteredListing[]): Promise<readonly Part[]> {
  const wholes = listings.map(async (listing) => {
    const { pages } = await wholeListing(context, pagedOf(context), listing);
    return pages.map((page) => ({ listing, ...page }));
  });
  return (await Promise.all(wholes)).flat();
}

/** The explored pages of the check's operation that are successes, and what they were asked for. */
async function exploredPages(
  context: CheckContext,
): Promise<readonly { readonly answer: Answer; readonly asked: ParsedRequest }[]> {
  return (await exploredAnswers(context, pagedOf(context))).flatMap((answer) => {
    const asked = answer.outcome.kind === "success" ? parsedRequestOf(answer, context.subjects) : undefined;
    return asked ? [{ answer, asked }] : [];
  });
}

/** The explored pages of the listings that are read whole. */
async function exploredParts(context: CheckContext, listings: readonly FilteredListing[]): Promise<readonly Part[]> {
  return (await exploredPages(context)).flatMap(({ answer, asked }): Part[] => {
    const { limit, offset = 0, onlyOpen, wallet } = asked;
    const listing = listings.find(({ filter }) => filter.address === wallet && (filter.onlyOpen ?? false) === onlyOpen);
    return listing ? [{ listing, offset, limit: effectiveLimit(limit), answer }] : [];
  });
}

/** Pages where paging is likely to go wrong. Shared by the checks of a worker. */
async function chosenParts(context: CheckContext, listings: readonly FilteredListing[]): Promise<readonly Part[]> {
  const { profile, runSeed, sharedRead } = context;
  const endpoint = pagedOf(context);
  const [all, ...filtered] = await Promise.all(
    listings.map(async (listing) => {
      const { whole } = await wholeListing(context, endpoint, listing);
      return { listing, ties: tiesOf(whole) };
    }),
  );
  if (!all) return [];
  const chosen = chosenPages([all, ...filtered], {
    seed: runSeed,
    random: sampleSize(placesTried[profile], context),
    // A quick run reads one such page of orders only: positions are larger.
    largest: endpoint === "GetAllOrders" || profile === "full",
  });
  return sharedRead(`pages of ${endpoint}`, ({ ask }) =>
    Promise.all(
      chosen.map(async ({ listing, offset, limit }): Promise<Part> => {
        const request = { ...listing.filter, limit, ...(offset > 0 && { offset }) };
        return { listing, offset, limit, answer: await ask(endpoint, request) };
      }),
    ),
  );
}
