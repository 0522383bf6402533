import { suite } from "../src/engine/define.js";
import { activeAreListed, isTerminal } from "../src/judge/order-lists.js";
import { joinPages, orderPage, orderRow, pageInWords } from "../src/judge/page.js";
import { allListed, listedBefore } from "../src/judge/paging.js";
import { ordersOf } from "../src/judge/read.js";
import { isOwnedBy } from "../src/judge/snapshots.js";
import { listingOfAllOrders } from "../src/subjects/listings.js";
import { accountsOf } from "./support/accounts.js";
import {
  likeDefaultAfter,
  likeDefaultPage,
  likeInLowerCase,
  likeNoAddressAgain,
  likeNoOffset,
  likeNoOnlyOpen,
  likeWithoutBlanks,
} from "./support/equivalences.js";
import { listingEndsWithTheOldest, orderListsOf } from "./support/wallet-orders.js";
import { wholeListing } from "./support/whole-listing.js";

export default suite("§4.3 GetAllOrders", ({ check, equivalent, invariant, observe }) => {
  // limit: Default 50 when omitted; above 1000 capped to 1000.
  invariant("get-all-orders.limit-default", "get-all-orders.limit-zero", "get-all-orders.limit-cap");

  equivalent("get-all-orders.limit-default", likeDefaultPage);

  // offset: Default 0.
  invariant("get-all-orders.offset-default");

  equivalent("get-all-orders.offset-default", likeNoOffset);

  equivalent("get-all-orders.offset-default", likeDefaultAfter("offset", 0));

  // address: Optional wallet filter,
  invariant("get-all-orders.address-filter", "get-all-orders.unknown-wallet");

  // §1: trimmed of surrounding whitespace
  equivalent("get-all-orders.address-trimmed", likeWithoutBlanks("address"));

  // case-insensitive;
  equivalent("get-all-orders.address-case-insensitive", likeInLowerCase("address"));

  observe("get-all-orders.address-blank", async ({ call, record, verify, readings, subjects }) => {
    for (const address of ["", " ", "\t\n"]) {
      const answer = await call.getAllOrders({ address, limit: 1 });
      record(`address ${JSON.stringify(address)}`, answer, (body) => pageInWords(orderPage(body)));
      if (readings.P7 === "refused" && address !== "") verify(answer).failsWith("invalid_argument");
      if (readings.P7 === "omitted" && subjects.wallets.length > 0) {
        const expected = "some wallet's orders (a blank address is an omitted one)";
        verify(answer)
          .at("orders")
          .is((orders) => Array.isArray(orders) && orders.length > 0, expected);
      }
    }
  });

  // when omitted all wallets are returned.
  // Covers more wallets than the exploration, since any one of them may be missing.
  check("get-all-orders.all-wallets", async ({ call, bodyOf, required, subjects, verify }) => {
    required(subjects.wallets[0], "walletWithOrders");
    const newest = subjects.wallets
      .slice(0, 8)
      .map(async ({ address }) =>
        ordersOf(bodyOf(await call.getAllOrders({ address, limit: 6 }))).filter(isOwnedBy(address)),
      );
    const seen = (await Promise.all(newest)).flat().map(orderRow);
    verify(await call.getAllOrders({ limit: 400 })).satisfies((body) =>
      allListed(seen, orderPage(body), "an order of one of the wallets that were read, among the newest 400"),
    );
  });

  // Whole lists too, so that rare markets and statuses are covered, as far as the listing is read.
  check("get-all-orders.all-wallets", { name: "all orders of some" }, async (context) => {
    const listing = context.required(listingOfAllOrders(context.subjects), "walletWithOrders");
    const { pages: read, whole } = await wholeListing(context, "GetAllOrders", listing);
    const answers = read.map(({ answer }) => answer);
    for (const { pages } of await orderListsOf(context)) {
      const rows = pages.flatMap((answer) => orderPage(context.bodyOf(answer)).rows);
      context.verify(...answers).satisfies(listedBefore(rows, whole, "an older order of the wallet"));
    }
  });

  check("get-all-orders.all-wallets", { name: "down to the oldest" }, listingEndsWithTheOldest);

  equivalent("get-all-orders.all-wallets", likeNoAddressAgain);

  // onlyOpen: When true, only PENDING, PARTIALLY_FILLED, PARTIALLY_MERGED orders;
  invariant("get-all-orders.only-open");

  check("get-all-orders.only-open", { name: "lists them all" }, async (context) => {
    for (const { orders, openPages } of await accountsOf(context)) {
      context
        .verify(orders, ...openPages)
        .satisfies((all, ...pages) => activeAreListed(ordersOf(all), pages.map(ordersOf)));
    }
  });

  // when omitted or false, any status.
  equivalent("get-all-orders.any-status", likeNoOnlyOpen);

  equivalent("get-all-orders.any-status", likeDefaultAfter("onlyOpen", false));

  check("get-all-orders.any-status", async (context) => {
    for (const { orders, pages } of await orderListsOf(context)) {
      const terminal = ordersOf(context.bodyOf(orders)).filter(isTerminal).map(orderRow);
      context
        .verify(...pages)
        .satisfies((...bodies) =>
          allListed(terminal, joinPages(bodies.map(orderPage)), "a terminal order of the wallet"),
        );
    }
  });

  // Response: orders (array of Order, ordered by timestamp descending)
  invariant("get-all-orders.sorted-by-timestamp");
});
