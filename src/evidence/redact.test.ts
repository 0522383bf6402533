import { describe, expect, test } from "vitest";
import { streamExchange, unaryExchange } from "./exchange.fixture.js";
import { redactExchange, redactor, redactTexts } from "./redact.js";

const secrets = {
  token: 'tok"en/with+signs',
  headers: [
    ["X-Api-Key", "k3y-of-the-tenant"],
    ["X-Tenant", "1"],
  ] as const,
};

describe("redactExchange", () => {
  test("leaves no secret anywhere, however it is echoed", () => {
    const forms = [
      secrets.token,
      encodeURIComponent(secrets.token),
      JSON.stringify(secrets.token),
      "k3y-of-the-tenant",
    ];
    const echo = forms.join(" ");
    const { request, response } = unaryExchange();
    const exchange = streamExchange({
      request: {
        ...request,
        url: `http://host/${encodeURIComponent(secrets.token)}`,
        body: echo,
        headers: [
          ["Authorization", `Bearer ${secrets.token}`],
          ["x-api-key", "k3y-of-the-tenant"],
          ["X-Other", echo],
        ],
      },
      response: {
        status: 401,
        bytes: 1,
        body: echo,
        headers: [...(response?.headers ?? []), ["WWW-Authenticate", echo], ["Set-Cookie", "session=1"]],
      },
      frames: [{ at: 1, flags: 0, data: echo }],
      framing: { kind: "oversized", message: echo },
      failure: { kind: "reset", message: echo },
    });
    const clean = redactExchange(exchange, secrets);
    const text = JSON.stringify(clean);
    for (const form of ["tok", "k3y", "session=1"]) expect(text).not.toContain(form);
    expect(clean.request.headers.map(([name]) => name)).toEqual(["Authorization", "x-api-key", "X-Other"]);
    expect(clean.frames?.[0]?.data).toBe('*** *** "***" ***');
  });

  test("hides what a check sends as Authorization also when no token is configured", () => {
    const { request } = unaryExchange();
    const exchange = unaryExchange({ request: { ...request, headers: [["authorization", "Bearer something"]] } });
    expect(redactExchange(exchange, { headers: [] }).request.headers).toEqual([["authorization", "***"]]);
  });

  test("changes nothing else, and not the original", () => {
    const exchange = streamExchange();
    expect(redactExchange(exchange, secrets)).toEqual(exchange);
    const echoing = unaryExchange({ failure: { kind: "reset", message: secrets.token } });
    redactExchange(echoing, secrets);
    expect(echoing.failure?.message).toBe(secrets.token);
  });

  test("short values are hidden in their own header, not wherever they occur", () => {
    const { request } = unaryExchange();
    const exchange = unaryExchange({ request: { ...request, headers: [["X-Tenant", "1"]], body: '{"limit":1}' } });
    expect(redactExchange(exchange, secrets).request).toMatchObject({
      headers: [["X-Tenant", "***"]],
      body: '{"limit":1}',
    });
  });
});

test("a secret that is part of another leaves no rest of it", () => {
  const hide = redactor({ token: "secret", headers: [["X-Key", "secret-and-more"]] });
  expect(hide("a secret-and-more b secret c")).toBe("a *** b *** c");
});

test("credentials are known without the scheme before them, other values by the whole alone", () => {
  const hide = redactor({
    headers: [
      ["X-Login", "Basic czNjcmV0OmJhc2lj"],
      ["X-Tenant", "number twenty-one"],
    ],
  });
  expect(hide("czNjcmV0OmJhc2lj of number twenty-one, twenty-one")).toBe("*** of ***, twenty-one");
});

test("plain data is rid of secrets in every text of it, and stays what it is where there are none", () => {
  const data = { count: 2, texts: ["a secret-token", { path: "secret-token", none: null }], flag: true };
  expect(redactTexts(data, redactor({ token: "secret-token", headers: [] }))).toEqual({
    count: 2,
    texts: ["a ***", { path: "***", none: null }],
    flag: true,
  });
  expect(redactTexts(data, redactor({ headers: [] }))).toBe(data);
});
