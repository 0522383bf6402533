import fc from "fast-check";
import { padded, recased } from "../src/arbitraries/addresses.js";
import { pageLimitsAboveCap, placesIn, smallPageLimits } from "../src/arbitraries/paging.js";
import {
  activeAreListed,
  emptyListing,
  isTerminal,
  onlyActive,
  ordersOwnedBy,
  recognised,
} from "../src/judge/order-lists.js";
import { newestFirst, newestFirstAcross } from "../src/judge/ordering.js";
import {
  allListed,
  continuesAt,
  effectivePage,
  offsetInForce,
  orderPage,
  orderRow,
  pageInWords,
} from "../src/judge/paging.js";
import { ordersOf } from "../src/judge/read.js";
import { activeOrderStatuses } from "../src/spec/enums.js";
import { pageLimitMax } from "../src/spec/limits.js";
import { lacking } from "../src/subjects/hints.js";
import { type Listing, listingsOf } from "../src/subjects/listings.js";
import type { WalletSubject } from "../src/subjects/subjects.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import { dressedWallet, walletsWithOrders } from "../src/verdict/listings.js";

const listings = ({ subjects, need }: CheckContext): readonly Listing[] => {
  const found = listingsOf(subjects, "GetAllOrders");
  need(found[0], lacking(subjects, "walletWithOrders"));
  return found;
};

export default suite("§4.3 GetAllOrders", ({ check, property, observe }) => {
  // limit: Default 50 when omitted; above 1000 capped to 1000.
  check(
    "get-all-orders.limit-default",
    { requests: 6 * bracketBudget(1, 0) },
    async ({ call, settled, subjects, verify }) => {
      const filters = [
        {},
        { offset: 1 },
        ...listingsOf(subjects, "GetAllOrders")
          .slice(1)
          .map(({ filter }) => filter),
      ];
      for (const request of filters) {
        verify(await settled(() => call.getAllOrders(request))).satisfies((body) =>
          effectivePage(orderPage(body), request, "the default"),
        );
      }
    },
  );

  check("get-all-orders.limit-zero", { requests: bracketBudget(1, 0) }, async ({ call, settled, verify }) => {
    verify(await settled(() => call.getAllOrders({ limit: 0 }))).satisfies((body) =>
      effectivePage(orderPage(body), { limit: 0 }, "zero is an omitted limit"),
    );
  });

  check("get-all-orders.limit-cap", { requests: bracketBudget(1, 0) }, async ({ call, settled, verify }) => {
    const request = { limit: pageLimitMax + 1 };
    verify(await settled(() => call.getAllOrders(request))).satisfies((body) =>
      effectivePage(orderPage(body), request, "the cap"),
    );
  });

  property(
    "get-all-orders.limit-cap",
    { name: "where few rows are left", runs: { quick: 6, full: 30 }, requestsPerRun: bracketBudget(1, 0) },
    ({ subjects }) => ({
      limit: pageLimitsAboveCap,
      listing: fc.constantFrom(...listingsOf(subjects, "GetAllOrders", 0)),
    }),
    async ({ limit, listing: { filter, total } }, { call, settled, verify }) => {
      const request = { limit, offset: Math.max(0, total - 3) };
      verify(await settled(() => call.getAllOrders({ ...filter, ...request }))).satisfies((body) =>
        effectivePage(orderPage(body), request, "the cap"),
      );
    },
  );

  // offset: Default 0.
  check("get-all-orders.offset-default", { requests: bracketBudget(1, 2) }, async ({ bracket, call, verify }) => {
    const [omitted, [zero, one]] = await bracket(
      () => call.getAllOrders({ limit: 6 }),
      () => Promise.all([call.getAllOrders({ limit: 6, offset: 0 }), call.getAllOrders({ limit: 5, offset: 1 })]),
    );
    verify(omitted).satisfies((body) => offsetInForce(orderPage(body), 0));
    verify(omitted, zero).satisfies((a, b) => continuesAt(orderPage(a), orderPage(b), 0));
    verify(omitted, one).satisfies((a, b) => continuesAt(orderPage(a), orderPage(b), 1));
  });

  // address: Optional wallet filter,
  check("get-all-orders.address-filter", { requests: 10 }, async (context) => {
    const { call, verify } = context;
    const [busiest, ...others] = walletsWithOrders(context, 6);
    const requests = [
      ...[busiest, ...others].map(({ address }) => ({ address, limit: 20 })),
      ...[busiest, ...others].slice(0, 2).map(({ address }) => ({ address, limit: 20, onlyOpen: true })),
      { address: busiest.address, limit: 20, offset: 50 },
    ];
    const answers = await Promise.all(
      requests.map(async (request) => ({ request, answer: await call.getAllOrders(request) })),
    );
    for (const { request, answer } of answers) {
      verify(answer).satisfies((body) => ordersOwnedBy(request.address, ordersOf(body)));
    }
  });

  check("get-all-orders.unknown-wallet", { requests: 2 }, async ({ call, subjects, verify }) => {
    for (const onlyOpen of [false, true]) {
      verify(await call.getAllOrders({ address: subjects.unknown.wallet, onlyOpen })).satisfies((body) =>
        emptyListing(orderPage(body)),
      );
    }
  });

  // §1: trimmed of surrounding whitespace
  const dressing = { runs: { quick: 6, full: 30 } } as const;
  const recognises = async (address: string, context: CheckContext) => {
    const wallet = dressedWallet(context);
    context
      .verify(await context.call.getAllOrders({ address, limit: 3 }))
      .satisfies((body) => recognised(wallet.address, ordersOf(body)));
  };

  property(
    "get-all-orders.address-trimmed",
    dressing,
    (context) => ({ address: padded(dressedWallet(context).address) }),
    ({ address }, context) => recognises(address, context),
  );

  // case-insensitive;
  property(
    "get-all-orders.address-case-insensitive",
    dressing,
    (context) => ({ address: recased(dressedWallet(context).address) }),
    ({ address }, context) => recognises(address, context),
  );

  check("get-all-orders.address-case-insensitive", { name: "in capitals", requests: 1 }, (context) =>
    recognises(dressedWallet(context).address.toUpperCase(), context),
  );

  observe("get-all-orders.address-blank", { requests: 3 }, async ({ call, record }) => {
    for (const address of ["", " ", "\t\n"]) {
      const answer = await call.getAllOrders({ address, limit: 1 });
      const seen = answer.outcome.kind === "success" ? pageInWords(orderPage(answer.outcome.body)) : answer;
      record(`address ${JSON.stringify(address)}`, seen);
    }
  });

  // when omitted all wallets are returned.
  check("get-all-orders.all-wallets", { requests: 9 }, async (context) => {
    const { call, given, verify } = context;
    const newest = walletsWithOrders(context, 8).map(async ({ address }) =>
      ordersOf(given(await call.getAllOrders({ address, limit: 20 }))).filter(
        ({ owner }) => owner.toLowerCase() === address,
      ),
    );
    const seen = (await Promise.all(newest)).flat().map(orderRow);
    verify(await call.getAllOrders({ limit: 400 })).satisfies((body) =>
      allListed(seen, orderPage(body), "an order of one of the wallets that were read, among the newest 400"),
    );
  });

  // onlyOpen: When true, only PENDING, PARTIALLY_FILLED, PARTIALLY_MERGED orders;
  check("get-all-orders.only-open", { name: "lists no other", requests: 2 }, async (context) => {
    const { call, shared, verify } = context;
    const [busiest] = walletsWithOrders(context, 1);
    const answers = [
      shared("GetAllOrders", { limit: pageLimitMax, onlyOpen: true }),
      call.getAllOrders({ onlyOpen: true, offset: 1 }),
      call.getAllOrders({ onlyOpen: true, address: busiest.address }),
    ];
    for (const answer of await Promise.all(answers)) verify(answer).satisfies((body) => onlyActive(ordersOf(body)));
  });

  check("get-all-orders.only-open", { name: "lists them all", requests: 3 * bracketBudget(1, 1) }, async (context) => {
    const { bracket, call, need, subjects, verify } = context;
    const affordable = subjects.wallets.filter(({ orders = 0 }) => orders <= 400);
    const chosen = activeOrderStatuses.map((status) =>
      affordable.find(({ openStatuses }) => openStatuses.includes(status)),
    );
    const wallets = new Set(chosen.filter((wallet): wallet is WalletSubject => wallet !== undefined));
    need([...wallets][0], lacking(subjects, "walletWithOpenOrders"));
    const readings = [...wallets].map(({ address }) =>
      bracket(
        () => call.getAllOrders({ address, limit: pageLimitMax }),
        () => call.getAllOrders({ address, limit: pageLimitMax, onlyOpen: true }),
      ),
    );
    for (const [all, open] of await Promise.all(readings)) {
      verify(all, open).satisfies((a, b) => activeAreListed(ordersOf(a), ordersOf(b)));
    }
  });

  // when omitted or false, any status.
  check("get-all-orders.any-status", { requests: 6 }, async (context) => {
    const { call, given, verify } = context;
    const wallets = walletsWithOrders(context, 2, 300);
    for (const { address } of wallets) {
      const own = ordersOf(given(await call.getOrders({ address }))).filter(
        ({ owner }) => owner.toLowerCase() === address,
      );
      const terminal = own.filter(isTerminal).map(orderRow);
      const requests = [{ address }, { address, onlyOpen: false }];
      for (const answer of await Promise.all(
        requests.map((request) => call.getAllOrders({ ...request, limit: pageLimitMax })),
      )) {
        verify(answer).satisfies((body) => allListed(terminal, orderPage(body), "a terminal order of the wallet"));
      }
    }
  });

  // Response: orders (array of Order, ordered by timestamp descending)
  check("get-all-orders.sorted-by-timestamp", async ({ shared, verify }) => {
    verify(await shared("GetAllOrders", { limit: pageLimitMax })).satisfies((body) =>
      newestFirst("orders", ordersOf(body)),
    );
  });

  property(
    "get-all-orders.sorted-by-timestamp",
    { name: "on pages anywhere", runs: { quick: 8, full: 40 } },
    (context) => ({ place: placesIn(listings(context)), limit: smallPageLimits }),
    async ({ place: { listing, offset }, limit }, { call, verify }) => {
      verify(await call.getAllOrders({ ...listing.filter, limit, offset })).satisfies((body) =>
        newestFirst("orders", ordersOf(body)),
      );
    },
  );

  check(
    "get-all-orders.sorted-by-timestamp",
    { name: "from page to page", requests: 5 * bracketBudget(1, 1) },
    async (context) => {
      const { bracket, call, verify } = context;
      const readings = listings(context).map(({ filter, total }) => {
        const limit = Math.min(50, Math.max(1, Math.floor(total / 2)));
        return bracket(
          () => call.getAllOrders({ ...filter, limit, offset: 0 }),
          () => call.getAllOrders({ ...filter, limit, offset: limit }),
        );
      });
      for (const [first, second] of await Promise.all(readings)) {
        verify(first, second).satisfies((a, b) => newestFirstAcross("orders", ordersOf(a), ordersOf(b)));
      }
    },
  );
});
