import { describe, expect, test } from "vitest";
import type { ExchangeFailure, HttpRequest } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import { stringify } from "../connect/json.js";
import type { Transport } from "../connect/transport.js";
import type { Subjects } from "../subjects/subjects.js";
import { exchangeOf } from "./answers.fixture.js";
import { type SuiteWords, suite } from "./define.js";
import type { WorkerEnvironment } from "./environment.js";
import { EveryAnswer } from "./every-answer.js";
import { type Execution, execute } from "./execute.js";
import { Blocked } from "./signals.js";

type Reply = { readonly status?: number; readonly body?: string } | { readonly failure: ExchangeFailure["kind"] };

/** A target that answers with the given replies in turn, the last one again and again. */
function environmentWith(
  ...replies: readonly Reply[]
): WorkerEnvironment & { readonly sent: HttpRequest[]; readonly paused: number[] } {
  const sent: HttpRequest[] = [];
  const paused: number[] = [];
  const unary: Transport["unary"] = async (request, { id }) => {
    sent.push(request);
    const reply = replies[Math.min(sent.length, replies.length) - 1] ?? {};
    if ("failure" in reply) {
      const { response: _, ...nothing } = exchangeOf("");
      return { ...nothing, id, request, failure: { kind: reply.failure, message: "gone" } };
    }
    return { ...exchangeOf(reply.body ?? "{}", reply.status), id, request };
  };
  return {
    sent,
    paused,
    startedAt: Date.parse("2026-01-01T00:00:00Z"),
    subjects: { broken: [], markets: [] } as unknown as Subjects,
    profile: "quick",
    strength: 2,
    seed: 1,
    transport: { unary, stream: unary as unknown as Transport["stream"], close: async () => {} },
    build: (endpoint, body, { check = "" }) => ({
      endpoint,
      method: "POST",
      url: "http://127.0.0.1/",
      headers: [["X-Conformance-Check", check]],
      body: stringify(body),
    }),
    record: () => {},
    succeeded: () => {},
    curl: () => "curl",
    shared: new Map(),
    pause: async (ms) => {
      paused.push(ms);
    },
    readings: {},
    everyAnswer: new EveryAnswer({ subjects: { markets: [], wallets: [], unknown: { wallet: "" } }, readings: {} }),
  };
}

/** Executes the one check that a suite defines. */
async function make(environment: WorkerEnvironment, build: (words: SuiteWords) => void): Promise<Execution["result"]> {
  const [check] = suite("a suite", build).checks;
  if (!check) throw new Error("the suite is empty");
  return (await execute(check, environment)).result;
}

const MANDATORY = "get-all-positions.limit-default";
const OPTIONAL = "position.additional-field-types";
const ADVISORY = "candlestick.low-high";
const OBSERVATION = "get-historical-prices.default-interval";
const page = (limit: number): Reply => ({ body: JSON.stringify({ pagination: { limit } }) });
const connectError = (code: string): Reply => ({ status: 400, body: JSON.stringify({ code, message: "no" }) });
const limitIs50 = ({ check }: SuiteWords) =>
  check(MANDATORY, async ({ call, verify }) => {
    verify(await call.getAllPositions())
      .at("pagination.limit")
      .equals(50);
  });

describe("the verdict of a check", () => {
  test("is pass when something was asserted and all of it held", async () => {
    const result = await make(environmentWith(page(50)), limitIs50);
    expect(result).toMatchObject({ verdict: "pass", assertions: 1, requests: 1, violations: [] });
  });

  test("is fail when a mandatory rule is violated, with the exchange that shows it", async () => {
    const result = await make(environmentWith(page(49)), limitIs50);
    expect(result.verdict).toBe("fail");
    expect(result.violations[0]?.places[0]).toMatchObject({
      exchange: result.exchanges[0],
      expected: "50",
      seen: "49",
    });
  });

  test("is warn when an advisory rule is violated", async () => {
    const result = await make(environmentWith(), ({ check }) =>
      check(ADVISORY, async ({ call, verify }) => verify(await call.getHistoricalPrices()).fails()),
    );
    expect(result.verdict).toBe("warn");
  });

  test("is never pass without an assertion: nothing seen is inconclusive", async () => {
    const result = await make(environmentWith(), ({ check }) =>
      check(MANDATORY, async ({ call }) => {
        await call.getAllPositions();
      }),
    );
    expect(result).toMatchObject({ verdict: "inconclusive", assertions: 0 });
    expect(result.message).toContain("no data was seen");
  });

  test("is inconclusive when a judge saw nothing, with what it would need", async () => {
    const result = await make(environmentWith(), ({ check }) =>
      check(MANDATORY, async ({ call, verify }) =>
        verify(await call.getAllPositions()).satisfies({ examined: 0, violations: [], missing: "two rows" }),
      ),
    );
    expect(result).toMatchObject({ verdict: "inconclusive", message: "needs two rows" });
  });

  test("is inconclusive when the subject is missing, and says what would settle it", async () => {
    const result = await make(environmentWith(), ({ check }) =>
      check(MANDATORY, async ({ required }) => {
        required(undefined, "a wallet with orders");
      }),
    );
    expect(result).toMatchObject({ verdict: "inconclusive", message: "a wallet with orders", requests: 0 });
  });

  test("is observed when something was recorded, whatever it was, and inconclusive otherwise", async () => {
    const observed = await make(environmentWith(connectError("internal")), ({ observe }) =>
      observe(OBSERVATION, {}, async ({ call, record }) =>
        record("without interval", await call.getHistoricalPrices()),
      ),
    );
    expect(observed).toMatchObject({ verdict: "observed", observations: [{ what: "without interval" }] });
    expect(observed.observations?.[0]?.seen).toContain("internal");
    const described = await make(environmentWith({ body: '{"prices":[1,2]}' }), ({ observe }) =>
      observe(OBSERVATION, {}, async ({ call, record }) =>
        record("without interval", await call.getHistoricalPrices(), (body) => Object.keys(body).join()),
      ),
    );
    expect(described.observations).toEqual([{ what: "without interval", seen: "prices" }]);
    const nothing = await make(environmentWith(), ({ observe }) => observe(OBSERVATION, {}, async () => {}));
    expect(nothing.verdict).toBe("inconclusive");
  });

  test("is unimplemented when the endpoint says so (§7)", async () => {
    expect((await make(environmentWith(connectError("unimplemented")), limitIs50)).verdict).toBe("unimplemented");
  });

  test.each([
    [50, "error"],
    [49, "fail"],
  ])("when the harness itself breaks: a page of %i is %s, since a proven violation holds", async (limit, verdict) => {
    const result = await make(environmentWith(page(limit)), ({ check }) =>
      check(MANDATORY, async ({ call, verify }) => {
        verify(await call.getAllPositions())
          .at("pagination.limit")
          .equals(50);
        throw new TypeError("a bug of ours");
      }),
    );
    expect(result.verdict).toBe(verdict);
    expect(result.message).toContain("a bug of ours");
  });

  /** What a check comes to whose judge looks for something in so many rows of each answer, in vain. */
  const lookingFor = (rule: typeof MANDATORY | typeof OPTIONAL, ...searched: readonly (number | undefined)[]) =>
    make(environmentWith(page(50)), ({ check }) =>
      check(rule, { on: "GetAllPositions" }, async ({ call, verify }) => {
        for (const rows of searched) {
          const searchedRows = rows === undefined ? {} : { searched: rows };
          verify(await call.getAllPositions()).satisfies({
            ...{ examined: 0, violations: [], missing: "a position with a field" },
            ...searchedRows,
          });
        }
      }),
    );

  test("is not applicable when what may be absent was looked for in rows, and found in none", async () => {
    expect(await lookingFor(OPTIONAL, 1_200, 0)).toMatchObject({
      verdict: "notApplicable",
      assertions: 0,
      message: "looked in 1,200 places of GetAllPositions for a position with a field, and found none",
    });
  });

  test("is inconclusive when there was no row to look in, or something else was lacking as well", async () => {
    for (const searched of [[0], [undefined], [3, undefined]]) {
      expect(await lookingFor(OPTIONAL, ...searched)).toMatchObject({
        verdict: "inconclusive",
        message: "needs a position with a field",
      });
    }
  });

  test("is an error when a check looks for what may not be absent", async () => {
    expect(await lookingFor(MANDATORY, 3)).toMatchObject({ verdict: "error" });
  });

  test("is blocked when an operation that it needs does not work, and says which", async () => {
    const blocker = { operation: "GetOrderBook", answered: "HTTP 404, an HTML page" } as const;
    const result = await make(environmentWith(page(50)), ({ check }) =>
      check(MANDATORY, async () => {
        throw new Blocked(blocker);
      }),
    );
    const message = "GetOrderBook answers HTTP 404, an HTML page";
    expect(result).toMatchObject({ verdict: "blocked", message, blockedBy: blocker });
  });

  test("is error, never fail, when the target does not answer", async () => {
    for (const failure of ["unreachable", "timeout", "aborted"] as const) {
      expect((await make(environmentWith({ failure }), limitIs50)).verdict).toBe("error");
    }
  });

  test("is fail when a violation was seen before the target went away", async () => {
    const result = await make(environmentWith(page(49), { failure: "unreachable" }), ({ check }) =>
      check(MANDATORY, async ({ call, verify }) => {
        for (const request of [{}, {}]) {
          verify(await call.getAllPositions(request))
            .at("pagination.limit")
            .equals(50);
        }
      }),
    );
    expect(result.verdict).toBe("fail");
  });

  test("gives a broken connection a second chance: only a target that breaks it again violates (E5)", async () => {
    const reset: Reply = { failure: "reset" };
    expect((await make(environmentWith(reset, page(50)), limitIs50)).verdict).toBe("pass");
    expect((await make(environmentWith(reset, reset), limitIs50)).verdict).toBe("fail");
    expect((await make(environmentWith(reset, { failure: "unreachable" }), limitIs50)).verdict).toBe("error");
    expect((await make(environmentWith(reset, { failure: "given-up" }), limitIs50)).verdict).toBe("error");
  });

  test("asks a target once more that answered nothing in time; one that is given up meanwhile has timed out", async () => {
    const timeout: Reply = { failure: "timeout" };
    expect((await make(environmentWith(timeout, page(50)), limitIs50)).verdict).toBe("pass");
    expect((await make(environmentWith(timeout, page(49)), limitIs50)).verdict).toBe("fail");
    const givenUp = await make(environmentWith(timeout, { failure: "given-up" }), limitIs50);
    expect(givenUp).toMatchObject({ verdict: "error", message: expect.stringContaining(": timeout: ") });
  });

  test("counts requests that were sent again", async () => {
    const environment = environmentWith(page(50), { failure: "reset" }, page(50), { failure: "timeout" }, page(50));
    const result = await make(environment, ({ check }) =>
      check(MANDATORY, async ({ call, verify }) => {
        for (const limit of [0, 1, 2]) verify(await call.getAllPositions({ limit })).succeeds();
      }),
    );
    expect(result).toMatchObject({ verdict: "pass", requests: 5 });
  });

  test("is error when a check does not end: that is our fault", async () => {
    const environment = environmentWith(page(50));
    const result = await make(environment, ({ check }) =>
      check(MANDATORY, async ({ call, verify }) => {
        for (let limit = 0; ; limit++) verify(await call.getAllPositions({ limit })).succeeds();
      }),
    );
    expect(result.verdict).toBe("error");
    expect(environment.sent).toHaveLength(5_000);
  });
});

test("a shared answer is asked for once, in the name of the check that comes first, and counts as read by each", async () => {
  const environment = environmentWith(page(50));
  const read =
    (name: string) =>
    ({ check }: SuiteWords) =>
      check(MANDATORY, { name }, async ({ shared, verify }) =>
        verify(await shared("GetAllPositions", { limit: 7 }))
          .at("pagination.limit")
          .equals(50),
      );
  const results = [await make(environment, read("first")), await make(environment, read("second"))];
  const [first] = results;
  expect(environment.sent.map(({ headers }) => headers)).toEqual([[["X-Conformance-Check", first?.name]]]);
  expect(results.map(({ requests }) => requests)).toEqual([0, 0]);
  expect(results.map(({ exchanges }) => exchanges)).toEqual([[`${first?.name}#shared-1`], [`${first?.name}#shared-1`]]);
});

test("a shared read of several answers is made once, and counts as read by each check", async () => {
  const environment = environmentWith(page(50));
  const read = ({ check }: SuiteWords) =>
    check(MANDATORY, async ({ sharedRead, verify }) => {
      const [, second] = await sharedRead("two pages", ({ ask }) =>
        Promise.all([ask("GetAllPositions"), ask("GetAllPositions", { offset: 1 })]),
      );
      verify(second).at("pagination.limit").equals(50);
    });
  const results = [await make(environment, read), await make(environment, read)];
  expect(environment.sent).toHaveLength(2);
  expect(results.map(({ requests, verdict }) => [requests, verdict])).toEqual([
    [0, "pass"],
    [0, "pass"],
  ]);
  expect(new Set(results.flatMap(({ exchanges }) => exchanges)).size).toBe(2);
});

test("what ends a shared read ends every check that asks for it", async () => {
  const replies = Array.from(
    { length: 20 },
    (_, count): Reply => ({ body: JSON.stringify({ marketId: String(count) }) }),
  );
  const environment = environmentWith(...replies);
  const read = ({ check }: SuiteWords) =>
    check(MANDATORY, async ({ sharedRead, verify }) => {
      const [answer] = await sharedRead("a moving target", ({ ask, bracket }) =>
        bracket(
          () => ask("GetAllPositions"),
          async () => undefined,
        ),
      );
      verify(answer).succeeds();
    });
  const verdicts = [await make(environment, read), await make(environment, read)].map(({ verdict }) => verdict);
  expect(verdicts).toEqual(["inconclusive", "inconclusive"]);
});

test("a suite refuses two checks of one name, and a rule of several operations without saying which", () => {
  const twice = ({ check }: SuiteWords) => {
    check(MANDATORY, async () => {});
    check(MANDATORY, async () => {});
  };
  expect(() => suite("twice", twice)).toThrow(/two checks are called/);
  expect(() => suite("vague", ({ check }) => check("wire.no-null", async () => {}))).toThrow(/several operations/);
});

test("an answer that only leads to the judged one is no violation, but without it nothing is known", async () => {
  const leads = ({ check }: SuiteWords) =>
    check(MANDATORY, async ({ call, bodyOf, verify }) => {
      bodyOf(await call.getPortfolio());
      verify(await call.getAllPositions()).succeeds();
    });
  expect(await make(environmentWith({ body: "{}" }), leads)).toMatchObject({ verdict: "pass" });
  expect(await make(environmentWith(connectError("internal")), leads)).toMatchObject({
    verdict: "inconclusive",
    message: expect.stringContaining("depends on a request to GetPortfolio that gave"),
  });
});

test("an answer is settled when two readings in a row hold the same (P3)", async () => {
  const settles = ({ check }: SuiteWords) =>
    check(MANDATORY, async ({ call, stableRead, verify }) => {
      verify(await stableRead(() => call.getAllPositions()))
        .at("pagination.limit")
        .equals(50);
    });
  const moving = environmentWith(...Array.from({ length: 12 }, (_, limit) => page(limit)));
  expect(await make(moving, settles)).toMatchObject({ verdict: "inconclusive" });
  expect(await make(environmentWith(page(1), page(2), page(50)), settles)).toMatchObject({
    verdict: "pass",
    requests: 4,
  });
});

describe("what a comparison across requests finds (P3)", () => {
  const differs = (a: unknown, b: unknown, row?: string, lasting?: true) => ({
    examined: 1,
    violations:
      JSON.stringify(a) === JSON.stringify(b)
        ? []
        : [{ path: "", expected: "A", seen: "B", ...(row && { row }), ...(lasting && { lasting }) }],
  });
  const compare = (words: SuiteWords, row: (limit: unknown) => string | undefined = () => undefined, lasting?: true) =>
    words.check(MANDATORY, async (context) => {
      const [a, b] = await context.bracket(
        () => context.call.getAllPositions({ limit: 1 }),
        () => context.call.getAllPositions({ limit: 2 }),
      );
      context
        .verify(a)
        .satisfies((body) => differs(a.outcome, b.outcome, row((body.pagination as JsonObject).limit), lasting));
    });
  const pages = (...limits: readonly number[]) => environmentWith(...limits.map(page));
  const asked = ({ sent }: ReturnType<typeof environmentWith>) => sent.map(({ body }) => JSON.parse(body).limit);

  test("counts when it is found again, after a pause and in the other order", async () => {
    const environment = pages(1, 2, 1, 6, 6, 5, 5, 6);
    expect(await make(environment, compare)).toMatchObject({ verdict: "fail", requests: 8 });
    expect(environment.paused).toHaveLength(1);
    expect(environment.paused[0]).toBeGreaterThanOrEqual(2_500);
    expect(asked(environment)).toEqual([1, 2, 1, 2, 2, 1, 1, 2]);
  });

  test("is in doubt when it is not found again", async () => {
    expect(await make(pages(1, 2, 1, 3, 3, 3, 3, 3), compare)).toMatchObject({
      verdict: "inconclusive",
      violations: [],
      message: expect.stringContaining("did not recur"),
    });
    expect(await make(pages(1, 2, 1, 3, 3, 5, 5, 4, 6, 7, 8, 8, 6), compare)).toMatchObject({
      verdict: "inconclusive",
      message: expect.stringContaining("could not be rechecked"),
    });
  });

  test("is found again when an answer is refused in other words", async () => {
    const refused = ({ check }: SuiteWords) =>
      check(MANDATORY, async ({ call, bodyOf, verify }) => {
        const known = bodyOf(await call.getAllPositions());
        verify(await call.getAllPositions()).satisfies((body) => differs(known, body));
      });
    const failure = (code: string, message: string) => ({ status: 500, body: JSON.stringify({ code, message }) });
    const first = [page(1), failure("internal", "trace 1")];
    expect(await make(environmentWith(...first, page(1), failure("internal", "trace 2")), refused)).toMatchObject({
      verdict: "fail",
    });
    expect(await make(environmentWith(...first, page(1), failure("not_found", "trace 1")), refused)).toMatchObject({
      verdict: "inconclusive",
    });
  });

  test("is no verdict where the harness broke when it looked again", async () => {
    let looks = 0;
    const breaks = ({ check }: SuiteWords) =>
      check(MANDATORY, async ({ call, bodyOf, verify }) => {
        const known = bodyOf(await call.getAllPositions());
        if (++looks === 2) throw new TypeError("a fault of the second look");
        verify(await call.getAllPositions()).satisfies((body) => differs(known, body));
      });
    expect(await make(pages(1, 2, 1, 2), breaks)).toMatchObject({
      verdict: "error",
      message: expect.stringContaining("a fault of the second look"),
    });
  });

  test("is in doubt when what is found again is about another row", async () => {
    const ofRow = (words: SuiteWords) => compare(words, (limit) => `row ${limit}`);
    expect(await make(pages(1, 2, 1, 2, 2, 1, 1, 2), ofRow)).toMatchObject({ verdict: "fail" });
    expect(await make(pages(1, 2, 1, 2, 2, 5, 5, 2), ofRow)).toMatchObject({ verdict: "inconclusive" });
  });

  test("counts the second time though the data moved, if moving data explains it only once", async () => {
    const moving = [1, 2, 1, 3, 4, 5, 6, 7, 6, 6, 5, 5, 6] as const;
    const once = pages(...moving);
    const lasting = (words: SuiteWords) => compare(words, () => "the row", true);
    expect(await make(once, lasting)).toMatchObject({ verdict: "fail", requests: moving.length });
    expect(once.paused).toHaveLength(1);
    const twice = pages(...moving, 6, 6, 6);
    expect(await make(twice, (words) => compare(words, () => "the row"))).toMatchObject({ verdict: "inconclusive" });
    expect(twice.paused.length).toBeGreaterThan(1);
  });

  test("has to be found a third time where other things were found the second time, since the data moved", async () => {
    const together = ({ check }: SuiteWords) =>
      check(MANDATORY, async ({ call, verify }) => {
        const answers = [await call.getAllPositions(), await call.getAllPositions()] as const;
        verify(...answers).satisfies((...bodies) => {
          const rows = bodies.map(({ pagination }) => (pagination as JsonObject).limit as number);
          return {
            examined: 2,
            violations: rows.map((row) => ({ path: "", expected: "A", seen: "B", row: `row ${row}` })),
          };
        });
      });
    expect(await make(pages(1, 2, 1, 2), together)).toMatchObject({ verdict: "fail", requests: 4 });
    expect(await make(pages(1, 2, 2, 3, 3, 2), together)).toMatchObject({ verdict: "fail", requests: 6 });
    expect(await make(pages(1, 2, 2, 3, 3, 4), together)).toMatchObject({ verdict: "inconclusive", requests: 6 });
  });

  test("is decided by a last look, over a longer time, where readings showed that the data moved", async () => {
    const moving = [1, 2, 9, 1, 2, 1, 2, 2, 1, 1, 2] as const;
    const environment = pages(...moving, 1, 2, 1);
    expect(await make(environment, compare)).toMatchObject({ verdict: "fail", requests: 14 });
    const [, last = 0, ...apart] = environment.paused;
    expect(last).toBeGreaterThanOrEqual(2_500);
    expect(apart).toHaveLength(2);
    for (const ms of apart) expect(ms).toBeGreaterThan(1_000);
    expect(await make(pages(...moving, 1, 2, 9), compare)).toMatchObject({
      verdict: "inconclusive",
      message: expect.stringContaining("could not be rechecked"),
    });
    expect(await make(pages(...moving, 1, 1, 1), compare)).toMatchObject({ verdict: "inconclusive" });
  });

  test("is looked for once where nothing was compared, or nothing found", async () => {
    expect(await make(pages(49, 50), limitIs50)).toMatchObject({ verdict: "fail", requests: 1 });
    expect(await make(pages(1, 1, 1), compare)).toMatchObject({ verdict: "pass", requests: 3 });
  });

  test("is looked for again also where answers are compared without a bracket", async () => {
    const together = ({ check }: SuiteWords) =>
      check(MANDATORY, async ({ call, verify }) => {
        verify(await call.getAllPositions(), await call.getAllPositions()).satisfies((a, b) => differs(a, b));
      });
    expect(await make(pages(1, 2, 3, 4), together)).toMatchObject({ verdict: "fail", requests: 4 });
    expect(await make(pages(1, 2, 3, 3), together)).toMatchObject({ verdict: "inconclusive", requests: 4 });
    const led = ({ check }: SuiteWords) =>
      check(MANDATORY, async ({ call, bodyOf, verify }) => {
        const known = bodyOf(await call.getAllPositions());
        verify(await call.getAllPositions()).satisfies((body) => differs(known, body));
      });
    expect(await make(pages(1, 2, 3, 3), led)).toMatchObject({ verdict: "inconclusive", requests: 4 });
  });

  test("is looked for in a read of its own where the first one was shared", async () => {
    const shared = ({ check }: SuiteWords) =>
      check(MANDATORY, async ({ sharedRead, verify }) => {
        const [a, b] = await sharedRead("both", ({ ask, bracket }) =>
          bracket(
            () => ask("GetAllPositions", { limit: 1 }),
            () => ask("GetAllPositions", { limit: 2 }),
          ),
        );
        verify(a).satisfies(differs(a.outcome, b.outcome));
      });
    const environment = pages(1, 2, 1, 3, 3, 3);
    expect(await make(environment, shared)).toMatchObject({ verdict: "inconclusive" });
    expect([...environment.shared.keys()]).toEqual(["both", "again: both"]);
  });
});

describe("a market that was delisted or renamed while the run went on", () => {
  const market = {
    marketId: "7",
    name: "BTC-USD",
    tickDecimals: 2,
    symbols: { assetSymbol: "BTC", quoteSymbol: "USD" },
  };
  const notFound: Reply = { status: 404, body: '{"code":"not_found","message":"no"}' };
  const knowing = (...replies: readonly Reply[]) => {
    const environment = environmentWith(...replies);
    return { ...environment, subjects: { broken: [], markets: [market] } as unknown as Subjects };
  };
  const bookOf =
    (selector: JsonObject) =>
    ({ check }: SuiteWords) =>
      check("order-book.limit-large", async ({ call, verify }) => {
        verify(await call.getOrderBook({ market: selector })).succeeds();
      });

  test.each([{ marketId: "7" }, { marketSymbol: market.symbols }])(
    "is not held against the target: %j",
    async (selector) => {
      const result = await make(knowing(notFound), bookOf(selector));
      expect(result).toMatchObject({ verdict: "inconclusive", violations: [] });
      expect(result.message).toContain("the market 7 was delisted while the run went on");
    },
  );

  const config = (marketName: string): Reply => ({
    body: JSON.stringify({ marketConfig: { marketId: "7", marketName } }),
  });

  test("is not held against the target when its symbols no longer lead to it", async () => {
    const result = await make(knowing(notFound, config("XBT-USD"), notFound), bookOf({ marketSymbol: market.symbols }));
    expect(result).toMatchObject({ verdict: "inconclusive", violations: [] });
    expect(result.message).toContain("the market 7 was renamed while the run went on");
  });

  test.each([
    ["its name is the same", [notFound, config("BTC-USD"), notFound]],
    ["its symbols still lead to it", [notFound, config("XBT-USD"), { body: '{"marketId":"7"}' }]],
  ])("is held against the target where %s", async (_, replies) => {
    expect((await make(knowing(...replies), bookOf({ marketSymbol: market.symbols }))).verdict).toBe("fail");
  });

  test.each([
    ["its configuration is there", [notFound, {}], "7"],
    ["its name is there", [notFound, notFound, {}], "7"],
    ["it was never known", [notFound], "8"],
  ] as const)("is none where %s", async (_, replies, marketId) => {
    expect((await make(knowing(...replies), bookOf({ marketId }))).verdict).toBe("fail");
  });
});
