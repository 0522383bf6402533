import { countOf } from "../report/wording.js";
import { announce } from "../run/announcement.js";
import type { Order } from "./make-run.js";

/** What a run would send at most, suite by suite: as text for a terminal. Nothing is sent. */
export function dryRun({ name, checks, selection, settings }: Order): string {
  const { profile, suites: ownSuites, target } = settings;
  const { suites, discovery, inCommon, own, total } = announce(checks, { selection, profile, ownSuites });
  const lines: [what: string, requests: number][] = [
    ["discovery of subjects", discovery],
    ...suites.map(
      ({ title, checks, requests }) => [`${title} (${countOf(checks, "check")})`, requests] as [string, number],
    ),
    ["what checks have in common, and requests that are sent again", inCommon],
    ...(own > 0 ? [["suites of your own", own] as [string, number]] : []),
  ];
  const width = Math.max(...lines.map(([what]) => what.length));
  return [
    `${name === undefined ? "" : `${name}: `}at most ${countOf(total, "request")} to ${target.baseUrl ?? "the embedded reference server"}`,
    `${profile} profile, ${pace(settings.target)}`,
    "",
    ...lines.map(([what, requests]) => `${what.padEnd(width)}  ${String(requests).padStart(6)}`),
    "",
    "A run sends far fewer unless something is amiss: budgets leave room to read again and to narrow down a violation.",
  ].join("\n");
}

function pace({ concurrency, rate }: Order["settings"]["target"]): string {
  const atOnce = `${countOf(concurrency, "request")} at once`;
  return rate === undefined ? atOnce : `${atOnce}, ${rate} a second`;
}
