import fc from "fast-check";
import { int32Max, pageLimitDefault, pageLimitMax } from "../../src/specification/limits.js";
import type { FilteredListing } from "../../src/subjects/listings.js";

/** A listing, and its runs of rows with the same timestamp: the indexes of the first row of each and of the one after it. */
export interface TiedListing {
  readonly listing: FilteredListing;
  readonly ties: readonly { readonly from: number; readonly to: number }[];
}

/** A page of a listing. */
export interface ChosenPage {
  readonly listing: FilteredListing;
  readonly offset: number;
  readonly limit: number;
}

/** How pages are chosen. */
export interface PageChoice {
  readonly seed: number;
  /** How many pages start at random. */
  readonly random: number;
  /** Whether one of the pages is as large as possible. */
  readonly largest: boolean;
}

type Listings = readonly [TiedListing, ...TiedListing[]];

/** Page sizes at chosen offsets, the usual ones in tests of paging. */
const longest = 50;
const sizes = [1, 7, longest] as const;

/** Maximum number of pages in which a listing is walked whole. */
const mostPagesWalked = 8;

/** Pages where paging is likely to go wrong (§2 PaginationInfo). The first listing is the unfiltered one. */
export function chosenPages(listings: Listings, { seed, random, largest }: PageChoice): readonly ChosenPage[] {
  const [{ listing: all }] = listings;
  return [
    ...atRandom(listings, random, seed),
    ...listings.flatMap((tied) => betweenTies(tied, seed)),
    ...listings.map(({ listing }, index) => atTheEnd(listing, index === 0 ? int32Max : pageLimitMax)),
    ...listings.flatMap(({ listing }) => endingExactly(listing, seed)),
    ...listings.flatMap(({ listing }) => acrossTheCap(listing, seed)),
    ...(largest ? ofTheLargestSize(all, seed) : []),
    ...wholeWalk(listings.slice(1)),
    // A single row may take a different code path than a page.
    ...listings.map(({ listing }) => ({ listing, offset: 0, limit: 1 })),
    // 256 truncated to 8 bits is zero, which would be taken for the default. Here more rows are left than a default page has.
    { listing: all, offset: Math.max(0, all.total - pageLimitDefault - 9), limit: 256 },
    ...confusedByPoorCacheKeys(all, seed),
    // The last row, and the first offset past the end.
    ...listings.flatMap(({ listing }) => [
      { listing, offset: listing.total - 1, limit: longest },
      { listing, offset: listing.total, limit: longest },
    ]),
  ];
}

/** Pages that start or end at random, or between rows of the same timestamp. */
function atRandom(listings: Listings, numRuns: number, seed: number): readonly ChosenPage[] {
  const [{ listing: all, ties }, ...filtered] = listings;
  const anywhere = fc.integer({ min: 0, max: all.total - 2 });
  const inTies = () => fc.constantFrom(...ties).chain(({ from, to }) => fc.integer({ min: from + 1, max: to - 1 }));
  const others = filtered.map(({ listing }) => fc.constant(listing));
  const arbitrary = fc.record({
    listing: fc.oneof({ weight: 3, arbitrary: fc.constant(all) }, ...others),
    start: ties.length > 0 ? fc.oneof(inTies(), anywhere) : anywhere,
    endsThere: fc.boolean(),
    size: fc.constantFrom(...sizes),
  });
  return fc.sample(arbitrary, { numRuns, seed }).map(({ listing, start, endsThere, size }) => {
    const place = start % listing.total;
    return { listing, offset: endsThere ? Math.max(0, place - size) : place, limit: size };
  });
}

/** A page that starts in the middle of the largest group of rows with the same timestamp. */
function betweenTies({ listing, ties }: TiedListing, seed: number): readonly ChosenPage[] {
  const [most] = ties.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (most === undefined) return [];
  return [{ listing, offset: most.from + 1 + (seed % (most.to - most.from - 1)), limit: longest }];
}

/** The last rows, with a large limit. Adding an offset to the largest int32 overflows 32 bits. */
function atTheEnd(listing: FilteredListing, limit: number): ChosenPage {
  return { listing, offset: Math.max(0, listing.total - 3), limit };
}

/** A full page that ends exactly where the listing ends. */
function endingExactly(listing: FilteredListing, seed: number): readonly ChosenPage[] {
  const limit = 2 + (seed % (longest - 1));
  return listing.total > limit ? [{ listing, offset: listing.total - limit, limit }] : [];
}

/** A page across the page cap: a server may be unable to reach rows beyond it. */
function acrossTheCap(listing: FilteredListing, seed: number): readonly ChosenPage[] {
  if (listing.total <= pageLimitMax + longest) return [];
  return [{ listing, offset: pageLimitMax - 1 - (seed % (longest - 1)), limit: longest }];
}

/** A page of the largest size that begins within the first one. */
function ofTheLargestSize(listing: FilteredListing, seed: number): readonly ChosenPage[] {
  if (listing.total <= pageLimitMax) return [];
  const start = 1 + (seed % Math.min(pageLimitMax - 1, listing.total - pageLimitMax));
  return [{ listing, offset: start, limit: pageLimitMax }];
}

/** All pages of a short listing, from its start to its end. */
function wholeWalk(listings: readonly TiedListing[]): readonly ChosenPage[] {
  const isShort = ({ listing: { total } }: TiedListing) => total > longest && total <= mostPagesWalked * longest;
  const walked = listings.find(isShort)?.listing;
  if (walked === undefined) return [];
  return Array.from({ length: Math.ceil(walked.total / longest) }, (_, page) => ({
    listing: walked,
    offset: page * longest,
    limit: longest,
  }));
}

/** Pages with the same end, or with the same digits (limit 1 at offset 10, limit 11 at offset 0). */
function confusedByPoorCacheKeys(listing: FilteredListing, seed: number): readonly ChosenPage[] {
  const skipped = 1 + (seed % 19);
  return [
    { listing, offset: 0, limit: 20 },
    { listing, offset: skipped, limit: 20 - skipped },
    { listing, offset: 0, limit: 11 },
    { listing, offset: 10, limit: 1 },
  ];
}
