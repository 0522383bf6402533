import { quote } from "../evidence/curl.js";
import { readingLines } from "../specification/readings.js";
import type { RunPlan } from "./plan.js";

/**
 * The command that repeats a run: target, profile, seed, and all flags that affect what is sent or judged. It leaves out
 * selection and output, and also header values, which may be secrets, unless they only name a variable.
 */
export function commandLineOf(plan: Pick<RunPlan, "name" | "flags" | "settings" | "readings">): string {
  const { name, flags, settings, readings } = plan;
  const { target, profile, seed } = settings;
  const option = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${name} ${quote(String(value))}`];
  const header = (line: string) => {
    const [name = "", ...value] = line.split(":");
    return option("header", /^\s*\$\{\w+\}\s*$/.test(value.join(":")) ? line : `${name}: ***`);
  };
  return [
    "npx perp-conformance run",
    ...(name === undefined ? option("base-url", target.baseUrl) : option("target", name)),
    ...(target.baseUrl === undefined ? ["--reference"] : []),
    ...(profile === "quick" ? [] : option("profile", profile)),
    ...option("seed", seed),
    ...(flags.for === undefined ? [] : option("for", `${flags.for / 1000}s`)),
    ...option("config", flags.config),
    ...(flags.suites?.length ? [`--suites ${flags.suites.map(quote).join(" ")}`] : []),
    ...(flags.strict ? ["--strict"] : []),
    ...option("require-conclusive", flags.requireConclusive),
    ...settings.notImplemented.flatMap((name) => option("not-implemented", name)),
    ...readingLines(readings).flatMap((line) => option("reading", line)),
    ...option("token-env", flags.tokenEnv),
    ...(flags.header ?? []).flatMap(header),
    ...option("ca", flags.ca),
    ...option("cert", flags.cert),
    ...option("key", flags.key),
    ...(target.tls.insecure ? ["--insecure"] : []),
    ...(target.correlation === false ? ["--no-correlation"] : []),
    ...option("transport", target.transport === "http1" ? undefined : target.transport),
    ...option("concurrency", flags.concurrency),
    ...option("rate", flags.rate),
    ...option("timeout", flags.timeout),
  ].join(" ");
}
