import fc from "fast-check";
import { int32Max, pageLimitDefault, pageLimitMax } from "../spec/limits.js";
import type { Listing } from "../subjects/listings.js";

/** Page sizes that are taken as they are: 1 to 1000, the edges of the documented numbers more often (§4.1, §4.3). */
export const pageLimits: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(1, 2, pageLimitDefault - 1, pageLimitDefault, pageLimitDefault + 1),
  fc.constantFrom(100, 250, 500, 501, pageLimitMax - 1, pageLimitMax),
  fc.integer({ min: 1, max: pageLimitMax }),
);

/** Page sizes whose rows are cheap to read: 1 to 120. */
export const smallPageLimits: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(1, 2, pageLimitDefault - 1, pageLimitDefault, pageLimitDefault + 1, 100),
  fc.integer({ min: 1, max: 120 }),
);

/** Page sizes above the cap, up to the greatest int32 (§7: never an error). */
export const pageLimitsAboveCap: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(pageLimitMax + 1, 2 * pageLimitMax, 65_536, int32Max),
  fc.integer({ min: pageLimitMax + 1, max: int32Max }),
);

/** Offsets of records that are there, 0 to `total` - 1: where pages meet and at both ends of the listing more often. */
export function offsetsWithin(total: number): fc.Arbitrary<number> {
  const edges = [
    0,
    1,
    49,
    50,
    51,
    99,
    100,
    150,
    499,
    500,
    501,
    998,
    999,
    1000,
    1001,
    1050,
    2000,
    total - 50,
    total - 2,
    total - 1,
  ];
  const within = edges.filter((offset) => offset >= 0 && offset < total);
  return fc.oneof(fc.constantFrom(...within), fc.integer({ min: 0, max: total - 1 }));
}

/** Offsets past the last of `total` records, up to the greatest int32. The end itself is not among them: it may move. */
export function offsetsBeyond(total: number): fc.Arbitrary<number> {
  const from = Math.min(int32Max, total + 100);
  return fc.oneof(
    fc.constantFrom(from, Math.max(from, 1_000_000), Math.max(from, int32Max - 1), int32Max),
    fc.integer({ min: from, max: int32Max }),
  );
}

/** A record of a listing: an offset that is there. */
export interface PlaceInListing {
  readonly listing: Listing;
  readonly offset: number;
}

/** Places in some listings, the first listing more often. Each of them must have records. */
export function placesIn(listings: readonly Listing[]): fc.Arbitrary<PlaceInListing> {
  return inListings(listings, offsetsWithin);
}

/** Offsets beyond the end of some listings. */
export function placesBeyond(listings: readonly Listing[]): fc.Arbitrary<PlaceInListing> {
  return inListings(listings, offsetsBeyond);
}

function inListings(
  listings: readonly Listing[],
  offsets: (total: number) => fc.Arbitrary<number>,
): fc.Arbitrary<PlaceInListing> {
  return fc.oneof(
    ...listings.map((listing, index) => ({
      weight: index === 0 ? 3 : 1,
      arbitrary: offsets(listing.total).map((offset) => ({ listing, offset })),
    })),
  );
}
