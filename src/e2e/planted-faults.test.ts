import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { isMessage } from "../connect/envelope.js";
import type { Exchange } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import { withBody, withEach, withError } from "../power/alter.js";
import { type AnswerView, viewOf } from "../power/answer-view.js";
import type { Fault } from "../power/fault.js";
import { FaultTrials } from "../power/fault-trials.js";
import { faultsOn, faultTemplates } from "../power/faults/index.js";
import { changeEach } from "../power/places.js";
import { type ObservedPlatform, platformOf } from "../power/platform.js";
import { entryOf, scoreOf } from "../power/power-report.js";
import { type RecordedRun, recordedRun } from "../power/recorded-run.js";
import { findModification } from "../reference/modifications.js";
import { recordedTrial } from "../run/recorded-trial.fixture.js";
import { catalogue } from "../specification/catalogue/index.js";
import { groupBy } from "../specification/group-by.js";

/** Faults, and servers that have them: both must come to the same. */
const servers: Readonly<Record<string, string>> = {
  "effective-size-scaled": "effective-size-scaled-by-adl",
  "effective-size-left-out, in GetOpenPositionsStreaming": "effective-size-missing-in-stream",
  "initial-notional-without-leverage": "initial-notional-is-the-margin",
  "canceled-set": "canceled-mirrors-status",
  "portfolio-terminal-order": "portfolio-lists-the-latest-orders",
  "GetAllPositions-limit-above-cap-refused": "get-all-positions-over-limit-refused",
  "only-open-without-partially-merged": "get-all-orders-open-lacks-partially-merged",
  "foreign-order-in-wallet": "get-all-orders-foreign-order",
  "GetOrders-market-forgotten": "get-orders-market-ignored",
  "book-total-from-the-worst": "order-book-cumulative-from-the-worst-ask",
  "book-one-level-too-many": "order-book-one-level-too-many",
  "book-sizes-not-in-usd": "order-book-sizes-never-in-usd",
  "book-asks-not-in-usd": "order-book-asks-never-in-usd",
  "book-negative-accepted": "order-book-negative-tick-clamped",
  "candles-limit-of-last": "historical-prices-limit-keeps-newest",
  "error-code-in-capitals": "errors-in-capitals",
  "GetAllPositions-oldest-first": "get-all-positions-ascending",
  "GetOrders-oldest-first": "get-orders-ascending",
  "GetAllPositions-total-one-off": "position-total-one-too-high",
  "GetAllOrders-total-of-page": "order-total-is-page-rows",
  "id-by-name-not-trimmed": "name-lookup-asset-not-trimmed",
  "reference-rounded-to-double": "order-ref-rounded-to-double",
};

/** What the record that faults are planted into was judged by. */
const rules = [
  ...new Set(
    Object.keys(servers).map((name) => {
      const template = faultTemplates.find((each) => name === each.name || name.startsWith(`${each.name}, `));
      if (!template) throw new Error(`there is no fault ${name}`);
      return template.rule;
    }),
  ),
];

interface Opened {
  readonly run: RecordedRun;
  readonly platform: ObservedPlatform;
  readonly trials: FaultTrials;
  readonly faults: readonly Fault[];
}

async function opened(server: string): Promise<Opened> {
  const { session, exchanges } = await recordedTrial(server, rules);
  const run = await recordedRun(session, [{ name: "trial", exchanges: [...exchanges.values()] }]);
  const platform = platformOf(run);
  return {
    run,
    platform,
    trials: await FaultTrials.open(run, platform),
    faults: faultsOn(platform, { seed: 1, all: true }),
  };
}

let reference: Opened;

beforeAll(async () => {
  reference = await opened("reference");
}, 240_000);

function faultCalled(name: string): Fault {
  const fault = reference.faults.find((each) => each.name === name);
  if (!fault) throw new Error(`there is no fault ${name} on this platform`);
  return fault;
}

/** Two views of each kind of answer to each choice of request fields. */
function eachKindOf(views: readonly AnswerView[]): readonly AnswerView[] {
  const alike = groupBy(views, ({ endpoint, request, answer }) =>
    [endpoint, answer.kind, ...Object.keys(request).sort()].join(" "),
  );
  return [...alike.values()].flatMap((group) => group.slice(0, 2));
}

/** Answers to the same request that a fault may find nothing to change in. */
function withLess(exchange: Exchange, answer: AnswerView["answer"]): readonly Exchange[] {
  switch (answer.kind) {
    case "success":
      return [{}, cut(answer.body, 0), cut(answer.body, 1)].map((body) => withBody(exchange, body as JsonObject));
    case "stream":
      return [{ ...exchange, frames: (exchange.frames ?? []).filter((frame) => !isMessage(frame)) }];
    case "error":
      return ["internal", "failed_precondition"].map((code) => withError(exchange, code));
    case "other":
      return [];
  }
}

/** A value with its lists cut to a length. */
function cut(value: unknown, length: number): unknown {
  if (Array.isArray(value)) return value.slice(0, length).map((element) => cut(element, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, length)]));
}

/** What a client reads in an answer, to whom an absent field is 0, false or empty (W1). */
function meaningOf({ response, frames }: Exchange): unknown {
  const { status, headers, body = "" } = response ?? {};
  return {
    status,
    headers,
    body: parsed(body),
    frames: frames?.map(({ data, ...frame }) => ({ ...frame, ...parsed(data) })),
  };
}

function parsed(text: string): object {
  try {
    const isDefault = (value: unknown) =>
      [0, "", false].includes(value as never) || (Array.isArray(value) && value.length === 0);
    return { json: JSON.parse(text, (_, value: unknown) => (isDefault(value) ? undefined : value)) };
  } catch {
    return { text };
  }
}

describe("the faults", () => {
  test("are there for every rule that answers can show", () => {
    const planted = new Set<string>(faultTemplates.map(({ rule }) => rule));
    const judged = catalogue.filter(({ level }) => level === "mandatory" || level === "advisory");
    expect(judged.map(({ id }) => id).filter((id) => !planted.has(id))).toEqual([]);
  });

  test("have names of their own, and are 400 at least", () => {
    const names = faultsOn(reference.platform, { seed: 7, all: false }).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(400);
  });

  test("change what an answer means, or leave it alone", () => {
    const { platform, run } = reference;
    const everywhere = faultsOn(platform, { seed: 1, all: false }).filter(({ scope }) => scope === "");
    const answers = eachKindOf(platform.views).flatMap(({ exchange, answer }) => [
      exchange,
      ...withLess(exchange, answer),
    ]);
    const changeNothing = new Set<string>();
    for (const exchange of answers) {
      const view = viewOf(exchange, run.session.subjects);
      const before = meaningOf(exchange);
      for (const { name, plant } of everywhere) {
        const after = plant(view);
        if (after && isDeepStrictEqual(meaningOf(after), before)) changeNothing.add(name);
      }
    }
    expect([...changeNothing]).toEqual([]);
  }, 120_000);

  test("are planted the same whenever the answer is read", () => {
    const fault = faultCalled("effective-size-scaled");
    const views = reference.platform.views.filter(({ endpoint }) => endpoint === "GetPortfolio").slice(0, 5);
    for (const view of views) expect(fault.plant(view)?.response?.body).toBe(fault.plant(view)?.response?.body);
  });

  test("change a copy: the record stays what it was", () => {
    const body = { orders: [{ orderId: "1" }, { orderId: "2" }] };
    const changed = changeEach("GetOrders", "order", body, (row) => (row.orderId === "1" ? undefined : [row, row]));
    expect(changed).toEqual({ orders: [{ orderId: "2" }, { orderId: "2" }] });
    expect(body.orders).toHaveLength(2);
    expect(changeEach("GetOrders", "order", body, (row) => row)).toBe(body);
  });
});

describe("a conformant record", () => {
  test("is judged as the run judged it: nothing is found without a fault", () => {
    expect(reference.trials.violated).toEqual([]);
  });

  test.each(["defaults-emitted", "only-documented-fields", "order-book-worst-price-first", "order-ref-ids-as-numbers"])(
    "of the variant %s is none the worse, and each fault is killed or finds nothing to change",
    async (name) => {
      const { trials, faults } = await opened(name);
      expect(trials.violated).toEqual([]);
      const survivors: string[] = [];
      for (const fault of faults.filter((each) => servers[each.name])) {
        if ((await trials.try(fault)).kind === "survived") survivors.push(fault.name);
      }
      expect(survivors).toEqual([]);
    },
    240_000,
  );

  test("is no reason to notice a fault that leaves each answer conformant, and it is told where that shows", async () => {
    const { trials } = reference;
    const harmless: Fault = {
      name: "unlisted-field",
      rule: "position.effective-size",
      kind: "wrong value",
      words: "positions have a field that the text does not list",
      operations: ["GetPortfolio"],
      scope: "",
      plant: (view) =>
        view.endpoint === "GetPortfolio" ? withEach(view, "position", (row) => ({ ...row, novelty: 1 })) : undefined,
    };
    const entry = await entryOf(harmless, trials);
    expect(entry).toMatchObject({
      outcome: "survived",
      shownBy: { operation: "GetPortfolio", path: expect.stringMatching(/novelty$/), before: "nothing", after: "1" },
    });
    expect(entry.shownBy?.curl).toContain("/portfolio.v1.PortfolioService/GetPortfolio");
  });

  test("without data for a fault does not exercise it, and says what would", async () => {
    const { trials } = reference;
    const frozen = await entryOf(faultCalled("portfolio-totals-cached"), trials);
    expect(frozen.outcome).toBe("not exercised");
    const nothing = await entryOf(
      { ...faultCalled("GetOrders-market-forgotten"), scope: "only in market 5", plant: () => undefined },
      trials,
    );
    expect(nothing).toMatchObject({
      outcome: "not exercised",
      why: expect.stringMatching(/^needs a wallet.*, only in market 5$/),
    });
    expect(scoreOf([frozen, nothing])).toEqual({ killed: 0, survived: 0, notExercised: 2 });
  });
});

describe("a fault that is killed in a record", () => {
  test.each(Object.entries(servers))(
    "%s breaks the same rule as a server that has it, which the proof kills: %s",
    async (name, server) => {
      const fault = faultCalled(name);
      const outcome = await reference.trials.try(fault);
      expect(outcome.kind).toBe("killed");
      expect(findModification("mutant", server)).toMatchObject({ breaks: fault.rule });
    },
    120_000,
  );
});
