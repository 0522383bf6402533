import { expect, test } from "vitest";
import { chosenPages, type TiedListing } from "./chosen-pages.js";

const all: TiedListing = { listing: { filter: {}, total: 5_000 }, ties: [] };
const open: TiedListing = { listing: { filter: { onlyOpen: true }, total: 60 }, ties: [] };

/** Offset and limit of the pages of a listing that are chosen with a seed. */
const chosen = (of: TiedListing, seed: number) =>
  chosenPages([all, open], { seed, random: 3, largest: false })
    .filter(({ listing }) => listing === of.listing)
    .map(({ offset, limit }) => [offset, limit]);

test.each([1, 2, 3])("the end of every listing is tried with the seed %i", (seed) => {
  for (const of of [all, open]) {
    const { total } = of.listing;
    const pages = chosen(of, seed);
    expect(pages.map(([offset]) => offset)).toEqual(expect.arrayContaining([total - 1, total]));
    expect(pages.filter(([offset = 0, limit = 0]) => offset + limit === total).length).toBeGreaterThan(0);
  }
});
