import { padded, recased } from "../src/arbitraries/addresses.js";
import { pageLimitsAboveCap, placesIn, smallPageLimits } from "../src/arbitraries/paging.js";
import type { Json, JsonObject, JsonObjectInput } from "../src/connect/json.js";
import { defaultLeftOut, flagLeftOut, inLowerCase, trimmed, writtenOut } from "../src/exploration/rewrites.js";
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
  limitInForce,
  offsetInForce,
  orderPage,
  orderRow,
  pageInWords,
  pageOfSize,
  someRows,
  stillEnd,
  stillRows,
} from "../src/judge/paging.js";
import { ordersOf } from "../src/judge/read.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { activeOrderStatuses } from "../src/spec/enums.js";
import { int32Max, pageLimitDefault, pageLimitMax } from "../src/spec/limits.js";
import { lacking } from "../src/subjects/hints.js";
import { type Listing, listingsOf } from "../src/subjects/listings.js";
import type { WalletSubject } from "../src/subjects/subjects.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import { dressedWallet, ownedBy, walletsWithOrders } from "../src/verdict/listings.js";

const listings = ({ subjects, need }: CheckContext): readonly Listing[] => {
  const found = listingsOf(subjects, "GetAllOrders");
  need(found[0], lacking(subjects, "walletWithOrders"));
  return found;
};

const endStands = (body: JsonObject) => stillEnd(orderPage(body));
const rowsStand = (body: JsonObject) => stillRows(orderPage(body));

/** A field that is heeded alone may be lost beside another. */
const atOnce = "with every field at once";

/** All that a request can have beside its limit. */
function besideLimit(context: CheckContext): JsonObjectInput {
  return { address: dressedWallet(context).address, onlyOpen: true, offset: 1 };
}

export default suite("§4.3 GetAllOrders", ({ check, property, observe, invariant, relation }) => {
  invariant(
    "get-all-orders.limit-default",
    "get-all-orders.limit-zero",
    "get-all-orders.limit-cap",
    "get-all-orders.offset-default",
    "get-all-orders.address-filter",
    "get-all-orders.unknown-wallet",
    "get-all-orders.only-open",
    "get-all-orders.sorted-by-timestamp",
  );
  const alike = (why: string) => ({ holds: sameAnswer("GetAllOrders", why), stable: rowsStand });
  relation(
    "get-all-orders.limit-default",
    { name: "like a limit of 50" },
    {
      rewrite: writtenOut("limit", pageLimitDefault),
      ...alike("the default limit is 50"),
    },
  );
  relation(
    "get-all-orders.offset-default",
    { name: "like no offset" },
    {
      rewrite: defaultLeftOut("offset"),
      ...alike("an offset of 0 is an omitted one"),
    },
  );
  relation(
    "get-all-orders.any-status",
    { name: "like no onlyOpen" },
    {
      rewrite: flagLeftOut("onlyOpen"),
      ...alike("onlyOpen false is an omitted one"),
    },
  );
  relation(
    "get-all-orders.address-trimmed",
    { name: "in every combination" },
    {
      rewrite: trimmed("address"),
      ...alike("as for the address without blanks"),
    },
  );
  relation(
    "get-all-orders.address-case-insensitive",
    { name: "in every combination" },
    {
      rewrite: inLowerCase("address"),
      ...alike("as for the address in lower case"),
    },
  );

  // limit: Default 50 when omitted; above 1000 capped to 1000.
  check(
    "get-all-orders.limit-default",
    { requests: 6 * bracketBudget(1, 0) },
    async ({ call, settled, subjects, verify }) => {
      const filters = listingsOf(subjects, "GetAllOrders", 200)
        .slice(1)
        .map(({ filter }) => filter);
      const answers = [{}, { offset: 1 }, ...filters].map(async (request) => ({
        request,
        answer: await settled(() => call.getAllOrders(request), endStands),
      }));
      for (const { request, answer } of await Promise.all(answers)) {
        verify(answer).satisfies((body) => pageOfSize(orderPage(body), request, "the default"));
      }
    },
  );

  check("get-all-orders.limit-default", { name: atOnce, requests: 1 }, async (context) => {
    const answer = await context.call.getAllOrders(besideLimit(context));
    context.verify(answer).satisfies((body) => limitInForce(orderPage(body), pageLimitDefault, "the default"));
  });

  check("get-all-orders.limit-zero", { requests: bracketBudget(1, 0) }, async ({ call, settled, verify }) => {
    verify(await settled(() => call.getAllOrders({ limit: 0 }), endStands)).satisfies((body) =>
      pageOfSize(orderPage(body), { limit: 0 }, "zero is an omitted limit"),
    );
  });

  check("get-all-orders.limit-zero", { name: atOnce, requests: 1 }, async (context) => {
    const answer = await context.call.getAllOrders({ ...besideLimit(context), limit: 0 });
    context
      .verify(answer)
      .satisfies((body) => limitInForce(orderPage(body), pageLimitDefault, "zero is an omitted limit"));
  });

  check("get-all-orders.limit-cap", { requests: 1 }, async ({ call, need, subjects, verify }) => {
    need(listingsOf(subjects, "GetAllOrders", pageLimitMax + 1)[0], "needs more than 1,000 orders");
    const request = { limit: pageLimitMax + 1 };
    verify(await call.getAllOrders(request)).satisfies((body) => pageOfSize(orderPage(body), request, "the cap"));
  });

  const capped = async (limit: number, { call, subjects, verify }: CheckContext) => {
    const offset = Math.max(0, (subjects.totals.orders ?? 0) - 3);
    const answer = await call.getAllOrders({ limit, offset });
    verify(answer).satisfies((body) => limitInForce(orderPage(body), pageLimitMax, "the cap"));
    verify(answer).satisfies((body) => someRows(orderPage(body), offset));
  };

  check("get-all-orders.limit-cap", { name: "at int32", requests: 1 }, (context) => capped(int32Max, context));

  check("get-all-orders.limit-cap", { name: atOnce, requests: 1 }, async (context) => {
    const answer = await context.call.getAllOrders({ ...besideLimit(context), limit: pageLimitMax + 1 });
    context.verify(answer).satisfies((body) => limitInForce(orderPage(body), pageLimitMax, "the cap"));
  });

  property(
    "get-all-orders.limit-cap",
    { name: "where few rows are left", runs: { quick: 3, full: 30 } },
    { limit: pageLimitsAboveCap },
    ({ limit }, context) => capped(limit, context),
  );

  // offset: Default 0.
  check("get-all-orders.offset-default", { requests: bracketBudget(1, 1) }, async ({ bracket, call, verify }) => {
    const [omitted, zero] = await bracket(
      () => call.getAllOrders({ limit: 6 }),
      () => call.getAllOrders({ limit: 6, offset: 0 }),
      rowsStand,
    );
    verify(omitted).satisfies((body) => offsetInForce(orderPage(body), 0));
    verify(omitted, zero).satisfies((a, b) => continuesAt(orderPage(a), orderPage(b), 0));
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
  const dressing = { runs: { quick: 3, full: 30 } } as const;
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

  /** The same beside another field, which may be heeded at its cost. */
  const recognisesBeside = async (dress: (address: string) => string, context: CheckContext) => {
    const { call, given, inconclusive, subjects, verify } = context;
    const busy = subjects.wallets.find(({ hasLetters, openOrders = 0 }) => hasLetters && openOrders > 0);
    const { address } = busy ?? dressedWallet(context);
    const beside = busy ? { limit: 3, onlyOpen: true } : { limit: 3 };
    const answer = await call.getAllOrders({ ...beside, address: dress(address) });
    if (busy && answer.outcome.kind === "success" && ordersOf(answer.outcome.body).length === 0) {
      const plain = ordersOf(given(await call.getAllOrders({ ...beside, address })));
      if (plain.length === 0) inconclusive("the wallet's orders were closed meanwhile; another run would settle it");
    }
    verify(answer).satisfies((body) => recognised(address, ordersOf(body)));
  };

  check("get-all-orders.address-trimmed", { name: "on both sides", requests: 2 }, (context) =>
    recognisesBeside((address) => `\t ${address}\n`, context),
  );

  check("get-all-orders.address-case-insensitive", { name: "in capitals", requests: 2 }, (context) =>
    recognisesBeside((address) => address.toUpperCase(), context),
  );

  observe("get-all-orders.address-blank", { requests: 3 }, async ({ call, record, verify, readings, subjects }) => {
    for (const address of ["", " ", "\t\n"]) {
      const answer = await call.getAllOrders({ address, limit: 1 });
      const seen = answer.outcome.kind === "success" ? pageInWords(orderPage(answer.outcome.body)) : answer;
      record(`address ${JSON.stringify(address)}`, seen);
      if (readings.P7 === "refused" && address !== "") verify(answer).failsWith("invalid_argument");
      if (readings.P7 === "omitted" && subjects.wallets.length > 0) {
        verify(answer).at("orders").is(isNonEmpty, "some wallet's orders (a blank address is an omitted one)");
      }
    }
  });

  // when omitted all wallets are returned.
  check("get-all-orders.all-wallets", { requests: 11 }, async ({ call, given, need, subjects, verify }) => {
    need(subjects.wallets[0], lacking(subjects, "walletWithOrders"));
    const newest = subjects.wallets
      .slice(0, 8)
      .map(async ({ address }) =>
        ordersOf(given(await call.getAllOrders({ address, limit: 6 }))).filter(ownedBy(address)),
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
    const affordable = subjects.wallets
      .filter(({ orders = 0 }) => orders <= 400)
      .sort((a, b) => a.ordersSeen - b.ordersSeen);
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
    const wallets = walletsWithOrders(context, 2, 120);
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
    { name: "on pages anywhere", runs: { quick: 5, full: 40 } },
    (context) => ({ place: placesIn(listings(context)), limit: smallPageLimits }),
    async ({ place: { listing, offset }, limit }, { call, verify }) => {
      verify(await call.getAllOrders({ ...listing.filter, limit, offset })).satisfies((body) =>
        newestFirst("orders", ordersOf(body)),
      );
    },
  );

  check(
    "get-all-orders.sorted-by-timestamp",
    { name: "from page to page", requests: 6 * bracketBudget(1, 1) },
    async (context) => {
      const { bracket, call, verify } = context;
      const places = listings(context).flatMap(({ filter, total }, index) => {
        const limit = Math.min(30, Math.max(1, Math.floor(total / 2)));
        const starts = index === 0 ? [0, total - 60] : [0];
        return [...new Set(starts.map((start) => Math.max(0, start)))].map((offset) => ({ filter, limit, offset }));
      });
      const readings = places.map(({ filter, limit, offset }) =>
        bracket(
          () => call.getAllOrders({ ...filter, limit, offset }),
          () => call.getAllOrders({ ...filter, limit, offset: offset + limit }),
          rowsStand,
        ),
      );
      for (const [first, second] of await Promise.all(readings)) {
        verify(first).satisfies((body) => newestFirst("orders", ordersOf(body)));
        verify(first, second).satisfies((a, b) => newestFirstAcross(orderPage(a), orderPage(b)));
      }
    },
  );
});

function isNonEmpty(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}
