import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import type { Answer } from "./answer.js";
import { answerWith, checkRun, errorAnswer, failure, success } from "./answers.fixture.js";
import { Halt, Inconclusive, TransportTrouble, Unimplemented } from "./signals.js";

describe("at", () => {
  test("counts an assertion and finds nothing when the value is the expected one", () => {
    const { log, verify, violations } = checkRun();
    verify(success({ pagination: { limit: 50 } }))
      .at("pagination.limit")
      .equals(50);
    expect(log.assertions).toBe(1);
    expect(violations()).toEqual([]);
  });

  test("names place, expected and seen when it is not", () => {
    const { verify, violations } = checkRun();
    verify(success({ pagination: { limit: 49 } }))
      .at("pagination.limit")
      .equals(50, "the default");
    expect(violations()[0]?.message).toBe("pagination.limit: expected 50 (the default), got 49");
  });

  test("tells a number from a string, and keeps the digits of large integers", () => {
    const { verify, violations } = checkRun();
    verify(success({ id: "5" }))
      .at("id")
      .equals(5);
    verify(success({ big: 9007199254740993n }))
      .at("big")
      .equals(9007199254740993n);
    expect(violations().map(({ message }) => message)).toEqual(['id: expected 5, got "5"']);
  });

  test("reads an absent value as the default that the caller names (W1)", () => {
    const { log, verify } = checkRun();
    verify(success({})).at("pagination.offset", 0).equals(0);
    expect(log.violated).toBe(false);
  });

  test("ends the check with a violation when there is no success", () => {
    const { log, verify, violations } = checkRun();
    expect(() => verify(errorAnswer("internal")).at("x")).toThrow(Halt);
    expect(log.violated).toBe(true);
    expect(violations()[0]?.message).toContain("expected a success, got the error internal");
  });
});

test("names a few other requests that show a violation, and the shortest first", () => {
  const { verify, violations } = checkRun();
  for (const limit of [200, 20, 20, 2000, 2]) {
    const answer = success({ wrong: true });
    const request = { ...answer.exchange.request, body: `{"limit":${limit}}` };
    verify({ ...answer, exchange: { ...answer.exchange, request } })
      .at("wrong", false)
      .equals(false);
  }
  expect(violations()).toMatchObject([
    {
      count: 5,
      request: expect.stringContaining('{"limit":2}'),
      otherRequests: [expect.stringContaining('{"limit":200}'), expect.stringContaining('{"limit":20}')],
    },
  ]);
});

describe("the excerpt of a violation", () => {
  const found = { examined: 1, violations: [{ path: "code", expected: "internal", seen: "Internal" }] };

  test("shows what an error says", () => {
    const { verify, violations } = checkRun();
    verify(errorAnswer("Internal")).meets(() => found);
    expect(violations()[0]?.excerpt).toBe('{"code":"Internal","message":"no"}');
  });

  test("shows the row of a message of a stream", () => {
    const { verify, violations } = checkRun();
    const capture = { windowMs: 1, messages: [{ body: {} }, { body: { positions: [{ owner: "0xA" }] } }] };
    const answer = { ...success(capture as unknown as JsonObject), endpoint: "GetOpenPositionsStreaming" as const };
    const path = "messages[1].positions[0].owner";
    verify(answer).meets(() => ({ examined: 1, violations: [{ path, expected: "0xa", seen: "0xA" }] }));
    expect(violations()[0]?.excerpt).toBe('{"owner":"0xA"}');
  });

  test("shows the row of a stream's only message that was asked for", () => {
    const { verify, violations } = checkRun();
    const answer = { ...success({ positions: [{ owner: "0xA" }] }), endpoint: "GetOpenPositionsStreaming" as const };
    const path = "positions[0].owner";
    verify(answer).meets(() => ({ examined: 1, violations: [{ path, expected: "0xa", seen: "0xA" }] }));
    expect(violations()[0]?.excerpt).toBe('{"owner":"0xA"}');
  });
});

describe("outcomes", () => {
  test("failsWith asks for one of the codes, however it is spelled: that is a rule of its own (E1)", () => {
    const { log, verify, violations } = checkRun();
    verify(errorAnswer("not_found")).failsWith("invalid_argument", "not_found");
    verify(errorAnswer("NOT_FOUND")).failsWith("not_found");
    expect(log.violated).toBe(false);
    verify(errorAnswer("internal")).failsWith("not_found");
    verify(success({})).failsWith("not_found");
    expect(log.assertions).toBe(4);
    expect(violations()).toHaveLength(1);
    expect(violations()[0]?.count).toBe(2);
  });

  test("fails accepts any error and any non-2xx answer, never a success (E2)", () => {
    const { log, verify } = checkRun();
    verify(errorAnswer("whatever")).fails();
    verify(answerWith({ kind: "malformed", reason: "empty" }, 415)).fails();
    expect(log.violated).toBe(false);
    verify(answerWith({ kind: "malformed", reason: "empty" }, 200)).fails();
    verify(success({})).fails();
    expect(log.violated).toBe(true);
  });

  test("unimplemented is allowed, so it is a verdict of its own and never a violation (§7)", () => {
    const { log, verify } = checkRun();
    for (const assertion of ["succeeds", "fails", "body"] as const) {
      expect(() => verify(errorAnswer("unimplemented"))[assertion]()).toThrow(Unimplemented);
    }
    expect(log.violated).toBe(false);
  });

  test("no answer is trouble, never a violation; a broken connection and a broken answer are one (E5)", () => {
    for (const kind of ["unreachable", "timeout", "aborted"] as const) {
      const { log, verify } = checkRun();
      expect(() => verify(failure(kind)).succeeds()).toThrow(TransportTrouble);
      expect(log.violated).toBe(false);
    }
    for (const kind of ["reset", "protocol"] as const) {
      const { log, verify } = checkRun();
      verify(failure(kind)).succeeds();
      expect(log.violated).toBe(true);
    }
    const { verify } = checkRun();
    expect(() => verify(failure("too-large")).succeeds()).toThrow(Inconclusive);
  });

  test("a throttled answer says nothing about a rule", () => {
    const { verify } = checkRun();
    const answer = errorAnswer("resource_exhausted");
    const throttled = { ...answer, exchange: { ...answer.exchange, throttled: true } };
    expect(() => verify(throttled).succeeds()).toThrow(Inconclusive);
  });
});

describe("an answer as a whole", () => {
  test("goes to the judge, whatever its outcome; no answer is trouble", () => {
    const { log, verify, violations } = checkRun();
    verify(errorAnswer("internal"), success({})).meets(({ outcome }) => ({
      examined: 1,
      violations: outcome.kind === "success" ? [] : [{ path: "", expected: "a success", seen: outcome.kind }],
    }));
    expect(log.assertions).toBe(2);
    expect(violations().map(({ message }) => message)).toEqual(["expected a success, got error"]);
    expect(() => verify(failure("timeout")).meets(() => ({ examined: 1, violations: [] }))).toThrow(TransportTrouble);
  });

  test("a 2xx answer that cannot be read breaks the rule on that, not every rule on what it says", () => {
    const unreadable = answerWith({ kind: "malformed", reason: "the body is not JSON" }, 200);
    for (const assertion of ["succeeds", "body"] as const) {
      const { log, verify } = checkRun();
      expect(() => verify(unreadable)[assertion]()).toThrow(Inconclusive);
      expect(log.violated).toBe(false);
    }
  });
});

describe("satisfies", () => {
  test("hands over all bodies, and places a violation in the answer that it is in", () => {
    const { log, verify, violations } = checkRun();
    const second = success({ b: 2 });
    verify(success({ a: 1 }), second).satisfies((a, b) => ({
      examined: 3,
      violations: [{ path: "b", expected: String(a.a), seen: String(b.b), answer: 1 }],
    }));
    expect(log.assertions).toBe(3);
    expect(violations()[0]?.places[0]).toMatchObject({ exchange: second.exchange.id, path: "b" });
  });

  test("makes one violation of one cause, with a count and the first few places, short enough for a terminal", () => {
    const { verify, violations } = checkRun();
    verify(success({})).satisfies({
      examined: 1000,
      violations: Array.from({ length: 1000 }, (_, index) => ({
        path: `positions[${index}].owner`,
        expected: "a lowercase address",
        seen: '"0xABC"',
      })),
    });
    const [violation, ...others] = violations();
    expect(others).toEqual([]);
    expect(violation?.count).toBe(1000);
    expect(violation?.places).toHaveLength(3);
    expect(JSON.stringify(violation).length).toBeLessThan(1024);
  });

  test("names the other ones of two or three answers, and none where there are more", () => {
    const answers = Array.from({ length: 4 }, () => success({}));
    const [one, two, three, four] = answers as [Answer, Answer, Answer, Answer];
    const compared = (...judged: readonly Answer[]) => {
      const { log, verify } = checkRun();
      verify(...judged).satisfies({
        examined: 1,
        violations: [{ answer: 1, path: "", expected: "1", seen: "2", otherPath: "orders[3]" }],
      });
      return log.violations(({ exchange }) => `ask ${exchange.id}`)[0]?.comparedWith;
    };
    expect(compared(one, two)).toMatchObject({
      exchange: one.exchange.id,
      path: "orders[3]",
      curl: `ask ${one.exchange.id}`,
    });
    expect(compared(one, two, three)).not.toHaveProperty("path");
    expect(compared(one, two, three)).toMatchObject({
      exchange: one.exchange.id,
      request: expect.stringMatching(/^GetAllPositions {}.*; GetAllPositions {}/),
      curl: `ask ${one.exchange.id}; ask ${three.exchange.id}`,
    });
    expect(compared(one, two, three, four)).toBeUndefined();
  });

  test("remembers what data was missing when nothing was examined", () => {
    const { log, verify } = checkRun();
    verify(success({})).satisfies({ examined: 0, violations: [], missing: "two orders" });
    expect(log.assertions).toBe(0);
    expect(log.missing).toBe("needs two orders");
  });
});
