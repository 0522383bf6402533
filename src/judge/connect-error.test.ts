import { describe, expect, test } from "vitest";
import {
  anyErrorObjectIs,
  codeIsInvalidArgument,
  endsAsDocumented,
  errorCode,
  errorObject,
  errorObjectIs,
  givesNoSuccess,
  refusesWithConnectError,
} from "./connect-error.js";
import { answered, broken, refused } from "./whole-answer.fixture.js";

const html = answered("<h1>Bad Request</h1>", { status: 400, contentType: "text/html" });
const empty = answered("", { status: 415 });
const withoutMessage = answered('{"code":"not_found"}', { status: 404 });
const success = answered('{"orders":[]}');

describe("the error object", () => {
  test("is found in any non-2xx JSON object, and in a 2xx answer only with code and message (E2)", () => {
    expect(errorObject(refused("not_found", 200))).toMatchObject({ code: "not_found" });
    expect(errorObject(withoutMessage)).toEqual({ code: "not_found" });
    for (const answer of [html, empty, success, broken(), answered('{"code":"x"}'), answered("[]", { status: 400 })]) {
      expect(errorObject(answer)).toBeUndefined();
    }
  });

  test.each([
    ['"not_found"', "not_found"],
    ['"NOT_FOUND"', "not_found"],
    ['"notFound"', "not_found"],
    ['"Not Found"', "not_found"],
    ["5", "not_found"],
    ["3", "invalid_argument"],
    ["null", undefined],
  ])("with the code %s means %s", (code, meant) => {
    expect(errorCode(answered(`{"code":${code}}`, { status: 404 }))).toBe(meant);
  });
});

describe("the rules on the error object", () => {
  const broken = (answer: typeof success, any = false) =>
    (["errors.shape", "errors.code-lowercase", "errors.code-known"] as const).filter(
      (rule) => (any ? anyErrorObjectIs : errorObjectIs)(rule)(answer).violations.length > 0,
    );

  test("hold for any Connect error", () => {
    for (const code of ["invalid_argument", "unauthenticated"]) expect(broken(refused(code))).toEqual([]);
  });

  test.each([
    ['{"code":"not_found"}', "errors.shape"],
    ['{"code":5,"message":"no"}', "errors.shape"],
    ['{"code":"not_found","message":null}', "errors.shape"],
    ['{"error":"no"}', "errors.shape"],
    ['{"code":"NOT_FOUND","message":""}', "errors.code-lowercase"],
    ['{"code":"no_such_market","message":""}', "errors.code-known"],
  ])("%s breaks %s alone", (body, rule) => {
    expect(broken(answered(body, { status: 404 }))).toEqual([rule]);
  });

  test("have nothing to say where there is no JSON object, and of a framework's own error (E5)", () => {
    for (const answer of [html, empty, success]) {
      expect(errorObjectIs("errors.shape")(answer)).toMatchObject({ examined: 0, missing: "an error of GetAllOrders" });
    }
    expect(broken(answered('{"statusCode":400,"message":"Bad Request"}', { status: 400 }), true)).toEqual([]);
    expect(broken(withoutMessage, true)).toEqual(["errors.shape"]);
  });
});

describe("the outcome of a documented request", () => {
  test.each([
    ["a success", success],
    ["an error", refused("invalid_argument")],
    ["a faulty error object, which breaks a rule of its own", withoutMessage],
  ])("is %s", (_, answer) => expect(endsAsDocumented(answer)).toEqual({ examined: 1, violations: [] }));

  test.each([
    ["internal", refused("internal", 500)],
    ["INTERNAL", refused("INTERNAL", 500)],
    ["HTML", html],
    ["nothing", empty],
    ["a broken connection", broken()],
    ["broken HTTP", broken("protocol")],
  ])("is not %s", (_, answer) => expect(endsAsDocumented(answer).violations).toHaveLength(1));

  test("is not known of a 2xx answer that cannot be read", () => {
    expect(endsAsDocumented(answered("nul"))).toMatchObject({ examined: 0 });
  });
});

describe("the answer to a malformed request", () => {
  test("is never a success", () => {
    expect(givesNoSuccess(success).violations).toMatchObject([
      { expected: "an error", seen: 'a success (HTTP 200): {"orders":[]}' },
    ]);
    expect(givesNoSuccess(answered("<html>")).violations).toHaveLength(1);
    for (const answer of [refused("internal"), refused("invalid_argument", 200), html, empty, broken()]) {
      expect(givesNoSuccess(answer)).toEqual({ examined: 1, violations: [] });
    }
  });

  test("of a stream is not a success either when it opened and ended without a message", () => {
    const { exchange } = answered("", { endpoint: "GetOpenPositionsStreaming" });
    const outcome = { kind: "malformed", reason: "it ended" } as const;
    expect(givesNoSuccess({ endpoint: "GetOpenPositionsStreaming", exchange, outcome }).violations).toEqual([]);
  });

  test("has the code invalid_argument, however it is spelled", () => {
    expect(codeIsInvalidArgument(refused("INVALID_ARGUMENT")).violations).toEqual([]);
    expect(codeIsInvalidArgument(refused("internal")).violations).toMatchObject([{ path: "code", seen: "internal" }]);
    for (const answer of [html, success, broken()]) expect(codeIsInvalidArgument(answer).examined).toBe(0);
  });

  test("is a Connect error", () => {
    for (const answer of [refused("internal"), withoutMessage])
      expect(refusesWithConnectError(answer).violations).toEqual([]);
    for (const answer of [html, empty, broken(), answered('{"error":"x"}', { status: 400 })]) {
      expect(refusesWithConnectError(answer).violations).toHaveLength(1);
    }
    expect(refusesWithConnectError(success).examined).toBe(0);
  });
});
