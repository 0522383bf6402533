import { describe, expect, test } from "vitest";
import { endpointNames, endpoints } from "../specification/endpoints.js";
import { rawJson } from "./json.js";
import { buildRequest } from "./requests.js";

const target = { baseUrl: "http://127.0.0.1:8080/prefix", secrets: { headers: [] } };

describe("buildRequest", () => {
  test.each(endpointNames)("posts %s to its path below the base URL", (endpoint) => {
    const request = buildRequest(target, endpoint, { limit: 1 });
    expect(request).toMatchObject({
      endpoint,
      method: "POST",
      url: `http://127.0.0.1:8080/prefix${endpoints[endpoint].path}`,
      body: '{"limit":1}',
    });
  });

  test("sends the common headers, and no credentials unless there are some (H3)", () => {
    expect(buildRequest(target, "GetOrders", {}, { check: "a-rule/näme" }).headers).toEqual([
      ["Content-Type", "application/json"],
      ["Connect-Protocol-Version", "1"],
      ["User-Agent", "perp-conformance"],
      ["X-Conformance-Check", "a-rule/n%C3%A4me"],
    ]);
    const names = buildRequest({ ...target, correlation: false }, "GetOrders", {}, { check: "a-rule" }).headers;
    expect(names.map(([name]) => name)).toEqual(["Content-Type", "Connect-Protocol-Version", "User-Agent"]);
    expect(buildRequest(target, "GetOpenPositionsStreaming", {}).headers).toContainEqual([
      "Content-Type",
      "application/connect+json",
    ]);
  });

  test("sends the token, and configured headers in the place of ordinary ones", () => {
    const secrets = {
      token: "t0ken",
      headers: [
        ["x-tenant", "one"],
        ["user-agent", "mine"],
      ] as const,
    };
    const { headers } = buildRequest({ ...target, secrets }, "GetOrders", {});
    expect(headers).toContainEqual(["Authorization", "Bearer t0ken"]);
    expect(headers).toContainEqual(["x-tenant", "one"]);
    expect(headers.filter(([name]) => name.toLowerCase() === "user-agent")).toEqual([["user-agent", "mine"]]);
  });

  test("a check can set and remove headers, also configured ones", () => {
    const secrets = { token: "t", headers: [["X-Tenant", "one"]] as const };
    const { headers } = buildRequest(
      { ...target, secrets },
      "GetOrders",
      {},
      {
        headers: {
          "connect-protocol-version": null,
          authorization: "Bearer bad",
          "x-tenant": null,
          "Connect-Timeout-Ms": "5000",
        },
      },
    );
    const names = headers.map(([name]) => name.toLowerCase());
    expect(names).not.toContain("connect-protocol-version");
    expect(names).not.toContain("x-tenant");
    expect(headers.filter(([name]) => name.toLowerCase() === "authorization")).toEqual([
      ["authorization", "Bearer bad"],
    ]);
    expect(headers).toContainEqual(["Connect-Timeout-Ms", "5000"]);
  });

  test("a check can send another path, another method, and a body that is no JSON", () => {
    expect(buildRequest(target, "GetOrders", {}, { path: "/no.Such/Method" }).url).toBe(
      "http://127.0.0.1:8080/prefix/no.Such/Method",
    );
    expect(buildRequest(target, "GetOrders", {}, { method: "GET" })).toMatchObject({ method: "GET", body: "" });
    expect(buildRequest(target, "GetOrders", rawJson("{{")).body).toBe("{{");
  });
});
