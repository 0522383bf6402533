import fc from "fast-check";
import type { CheckResult, Verdict, ViolationGroup } from "../engine/result.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Level, Rule, Section } from "../specification/rule.js";
import { assembleResults, type RunFacts } from "./assemble-results.js";
import type { Results } from "./results.js";

/** A text as a hostile target would send it: escape sequences, markup, quotes, a right-to-left override, a NUL, half an emoji. */
export const hostileText =
  "\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script> ]]> `|` \"'& \u202egnp.exe\u0000\ud83d \r\nnext";

/** Any text, half surrogate pairs included (fast-check's own full range of characters takes a second to load). */
export const anyText = fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((codes) => String.fromCodePoint(...codes));

/** A rule of a small catalogue. */
export function ruleOf(id: string, level: Level = "mandatory", section: Section = "§4.1"): Rule {
  return {
    id,
    section,
    level,
    statement: `What ${id} states.`,
    endpoints: ["GetAllPositions"],
    impact: `What goes wrong without ${id}.`,
    ...(level === "unobservable" && { reason: "it happens on chain" }),
  };
}

/** The result of a check of a rule, with evidence that fits the verdict. */
export function checkResult(rule: string, verdict: Verdict, change: Partial<CheckResult> = {}): CheckResult {
  return {
    rule,
    name: `${rule} on GetAllPositions`,
    endpoint: "GetAllPositions",
    verdict,
    assertions: verdict === "pass" || verdict === "fail" || verdict === "warn" ? 3 : 0,
    violations: verdict === "fail" || verdict === "warn" ? [findingOf()] : [],
    subjects: ["wallet 0xabc (exchange discovery/1)"],
    exchanges: [`${rule}/1`],
    requests: 1,
    durationMs: 12.5,
    ...change,
  };
}

/** The part of a result that says which operation blocks it. */
export function blockedBy(operation: Endpoint): Partial<CheckResult> {
  const answered = "HTTP 404";
  return { message: `${operation} answers ${answered}`, blockedBy: { operation, answered } };
}

/** A violation at two places. */
export function findingOf(change: Partial<ViolationGroup> = {}): ViolationGroup {
  return {
    message: "positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4",
    operation: "GetAllPositions",
    count: 2,
    places: [
      { exchange: "x/1", path: "positions[17].effectiveSize", expected: "2.5 (= nominalSize)", seen: "2.4" },
      { exchange: "x/1", path: "positions[18].effectiveSize", expected: "1 (= nominalSize)", seen: "0.9" },
    ],
    request: 'GetAllPositions {"limit":1000}',
    pointer: "/positions/17/effectiveSize",
    excerpt: '{"effectiveSize":2.4,"nominalSize":2.5}',
    curl: "curl -sS http://127.0.0.1:8080/position_service.v1.PositionService/GetAllPositions -d '{\"limit\":1000}'",
    ...change,
  };
}

const sampleCatalogue: readonly Rule[] = [
  ruleOf("sample.pass"),
  { ...ruleOf("sample.fail"), rulings: ["R1"] },
  ruleOf("sample.warn", "advisory"),
  ruleOf("sample.inconclusive", "mandatory", "§4.2"),
  ruleOf("sample.unimplemented", "mandatory", "§4.2"),
  ruleOf("sample.observed", "observation", "§4.6"),
  ruleOf("sample.error", "mandatory", "§4.6"),
  ruleOf("sample.full-only", "mandatory", "§4.6"),
  ruleOf("sample.unobservable", "unobservable", "§6"),
];

/** A run over a catalogue in which each rule is named after the verdict it gets. Each has one check, whatever the catalogue. */
export function factsOf(change: Partial<RunFacts> = {}): RunFacts {
  const { catalogue = sampleCatalogue } = change;
  return {
    catalogue,
    rulings: { R1: { reading: "Relative tolerance 1e-6." } },
    checks: catalogue
      .filter(({ level }) => level !== "unobservable")
      .map(({ id, section }) => ({
        rule: id,
        endpoint: "GetAllPositions",
        suite: section,
        profile: id === "sample.full-only" ? "full" : "quick",
      })),
    results: [
      checkResult("sample.pass", "pass"),
      checkResult("sample.fail", "fail"),
      checkResult("sample.warn", "warn"),
      checkResult("sample.inconclusive", "inconclusive", {
        message: "no closed position was seen; one would settle it",
      }),
      checkResult("sample.unimplemented", "unimplemented", { message: "GetAllPositions answered unimplemented" }),
      checkResult("sample.observed", "observed", { observations: [{ what: "order of ties", seen: "by id" }] }),
      checkResult("sample.error", "error", { message: "the check itself threw TypeError" }),
    ],
    harness: { name: "perp-conformance", version: "0.1.0" },
    specification: { name: "perpetuals read API", version: "1.0.0", catalogueDigest: "sha256:abc" },
    target: { baseUrl: "http://127.0.0.1:8080" },
    profile: "quick",
    seed: 7,
    strict: false,
    requireConclusive: 0,
    successes: { GetAllPositions: 5 },
    broken: [],
    notImplemented: [],
    selection: { rules: [], suites: [] },
    command: "perp-conformance run --base-url http://127.0.0.1:8080 --seed 7",
    startedAt: "2026-01-02T03:04:05.006Z",
    finishedAt: "2026-01-02T03:04:11.006Z",
    requests: { count: 30, streams: 2, bytesReceived: 123_456 },
    problems: [],
    interrupted: false,
    ...change,
  };
}

/** The results of {@link factsOf}. */
export function resultsOf(change: Partial<RunFacts> = {}): Results {
  return assembleResults(factsOf(change));
}

/** The results of a run in which one check found these violations. */
export function resultsFinding(...violations: readonly ViolationGroup[]): Results {
  return resultsWith(["fail"], { results: [checkResult("sample.rule-0", "fail", { violations })] });
}

/** The results of a run in which each rule has one of these verdicts. */
export function resultsWith(verdicts: readonly Verdict[], change: Partial<RunFacts> = {}): Results {
  const rules = verdicts.map((verdict, index) =>
    ruleOf(
      `sample.rule-${index}`,
      verdict === "observed" ? "observation" : verdict === "warn" ? "advisory" : "mandatory",
    ),
  );
  return resultsOf({
    catalogue: rules,
    results: rules.map(({ id }, index) => checkResult(id, verdicts[index] ?? "pass")),
    ...change,
  });
}
