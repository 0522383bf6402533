import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { encodeEnvelope } from "../connect/envelope.js";
import type { HttpRequest } from "../connect/exchange.js";
import { sanitize } from "../report/sanitize.js";
import { type CurlTarget, toCurl } from "./curl.js";
import { streamExchange, unaryExchange } from "./exchange.fixture.js";

/** What curl is given when a POSIX shell runs the line: its arguments, and its input when it reads one. */
function run(line: string): { args: string[]; input: Buffer } {
  const fake = `curl() { for argument do printf '%s\\0' "$argument"; done; printf '\\0'; case " $* " in *' @- '*) cat;; esac; }`;
  const output = execFileSync("sh", ["-c", `${fake}\n${line}`], {
    env: { ...process.env, CONFORMANCE_TOKEN: "t0ken" },
  });
  const end = output.indexOf("\0\0");
  return { args: output.subarray(0, end).toString().split("\0"), input: output.subarray(end + 2) };
}

function optionOf(args: string[], name: string): string | undefined {
  return args[args.indexOf(name) + 1];
}

const unary = unaryExchange().request;

describe("toCurl", () => {
  test.each([
    ["an ordinary body", '{"address":"0x1"}'],
    ["quotes of all kinds", `{"a":"it's \\"$HOME\\" \`id\` \\\\ %s !x"}`],
    ["a file name", "@/etc/hostname"],
    ["other letters", '{"a":"é ☃ 😀"}'],
    ["a dash", "-"],
  ])("sends %s as it was sent", (_, body) => {
    const line = toCurl({ ...unary, body });
    expect(line).not.toContain("\n");
    const { args } = run(line);
    expect(optionOf(args, "--data-raw")).toBe(body);
    expect(optionOf(args, "-X")).toBe("POST");
    expect(args).toContain(unary.url);
    expect(optionOf(args, "-H")).toBe("Content-Type: application/json");
  });

  test("keeps a body with line ends on one line", () => {
    const body = '-{\r\n\t"a": "100% \\ it\'s é"\n}\n';
    const line = toCurl({ ...unary, body });
    expect(line).not.toMatch(/[\r\n\t]/);
    expect(run(line).input.toString()).toBe(body);
  });

  test("has nothing that a report would show as its code", () => {
    const body = '{"address":"\u00ad0x1\ufeff\u2028\u{e0041}"}';
    const line = toCurl({ ...unary, body });
    expect(sanitize(line)).toBe(line);
    expect(run(line).input.toString()).toBe(body);
  });

  test("sends the one envelope of a stream, and leaves after a while", () => {
    const { request } = streamExchange();
    const body = `${request.body} %d \\ '${"x".repeat(300)}'`;
    const line = toCurl({ ...request, body });
    const { args, input } = run(line);
    expect(input).toEqual(encodeEnvelope(body));
    expect(args).toEqual(expect.arrayContaining(["-N", "--max-time", "--data-binary", "@-"]));
  });

  test("goes over the unix socket that the request went over", () => {
    const { args } = run(toCurl({ ...unary, url: "http+unix://%2Ftmp%2Fit's%20here/prefix/a.B/C" }));
    expect(optionOf(args, "--unix-socket")).toBe("/tmp/it's here");
    expect(args).toContain("http://localhost/prefix/a.B/C");
  });

  test("takes the token from the environment, and shows no secret", () => {
    const request: HttpRequest = {
      ...unary,
      headers: [
        ["Authorization", "Bearer s3cret-token"],
        ["X-Api-Key", "k3y-of-tenant"],
        ["X-Empty", ""],
        ["X-Quote", `it's "$HOME"`],
      ],
      body: '{"echo":"s3cret-token"}',
    };
    const line = toCurl(request, { secrets: { token: "s3cret-token", headers: [["x-api-key", "k3y-of-tenant"]] } });
    expect(line).not.toMatch(/s3cret|k3y/);
    const { args } = run(line);
    expect(args.filter((_, at) => args[at - 1] === "-H")).toEqual([
      "Authorization: Bearer t0ken",
      "X-Api-Key: ***",
      "X-Empty;",
      `X-Quote: it's "$HOME"`,
      "Content-Type:",
    ]);
  });

  test.each<[string, CurlTarget, string[]]>([
    ["HTTP/1.1", {}, ["--http1.1"]],
    ["HTTP/2 without TLS", { transport: "h2c" }, ["--http2-prior-knowledge"]],
    ["HTTP/2 over TLS, unchecked", { transport: "h2", tls: { insecure: true } }, ["-k", "--http2"]],
  ])("speaks %s", (_, target, options) => {
    expect(run(toCurl(unary, target)).args).toEqual(expect.arrayContaining(options));
  });

  test("sends no body where there was none", () => {
    expect(run(toCurl({ ...unary, method: "GET", body: "" })).args.join(" ")).not.toContain("--data");
    expect(run(toCurl({ ...unary, method: "HEAD", body: "" })).args).toContain("-I");
  });
});
