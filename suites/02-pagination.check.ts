import { type JsonObject, rawJson } from "../src/connect/json.js";
import { suite } from "../src/engine/define.js";
import { pageInWords, pageOf } from "../src/judge/page.js";
import { pagedEndpoints } from "../src/specification/endpoints.js";
import { pagesMatchWalletOrders } from "./support/wallet-pages.js";
import {
  pagesAreFull,
  pagesHaveTheSameTotal,
  pagesMatchWholeListing,
  tieOrderIsStable,
  totalsAgree,
} from "./support/whole-listing.js";

export default suite("§2 PaginationInfo", ({ check, invariant, observe }) => {
  invariant("pagination.present");

  // limit: Effective page size after defaulting and capping; may exceed the number of rows returned.
  invariant("pagination.limit", "pagination.row-count");

  // offset: Number of matching records skipped.
  invariant("pagination.offset", "pagination.offset-beyond-end");

  for (const on of pagedEndpoints) {
    const parts = { on, name: "pages are parts of the whole" } as const;
    check("pagination.offset-skips-rows", parts, pagesMatchWholeListing);
    check("pagination.tie-order", parts, tieOrderIsStable);
    check("pagination.total-count", parts, pagesHaveTheSameTotal);
    check("pagination.row-count", parts, pagesAreFull);
  }

  // §4.4: all orders of a wallet in one answer
  const ofOneWallet = { on: "GetAllOrders", name: "pages are parts of a wallet's orders" } as const;
  check("pagination.offset-skips-rows", ofOneWallet, pagesMatchWalletOrders);

  // totalCount: Total matching records across all pages.
  invariant("pagination.total-count");

  for (const on of pagedEndpoints) {
    check("pagination.total-count", { on, name: "the same on each page" }, totalsAgree);
  }

  // totalCount: integer (decimal string in order-list output)
  invariant("pagination.total-count-integer", "pagination.total-count-decimal-string");

  for (const on of pagedEndpoints) {
    const inWords = (body: JsonObject) => pageInWords(pageOf(on, body));

    observe("pagination.negative-values", { on }, async ({ ask, record }) => {
      for (const request of [{ limit: -1 }, { limit: -(2 ** 31) }, { offset: -1 }, { limit: 1, offset: -(2 ** 31) }]) {
        record(JSON.stringify(request), await ask(on, request), inWords);
      }
    });

    observe("pagination.beyond-int32", { on }, async ({ ask, record }) => {
      for (const field of ["limit", "offset"]) {
        for (const value of ["2147483648", "1e20"]) {
          record(`${field} ${value}`, await ask(on, { [field]: rawJson(value) }), inWords);
        }
      }
    });
  }
});
