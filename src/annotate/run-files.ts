import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isMessage } from "../connect/envelope.js";
import type { ExchangeFailure } from "../connect/exchange.js";
import { openRecord } from "../evidence/read-record.js";
import type { StoredExchange, StoredText } from "../evidence/stored-exchange.js";
import { byZod, type Format, readJsonWithin } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import type { Results } from "../report/results.js";
import { sanitize, sanitizeShort } from "../report/sanitize.js";
import { recordFolders, relativeUrl, runFiles } from "../report/write.js";

/** An exchange in two lines. Text from the target is shortened and sanitized. */
export interface ExchangeLines {
  /** `GetOrderBook {"market":{"marketId":"1"}}` */
  readonly request: string;
  /** `HTTP 200, 12 ms: {"orderBook":…` */
  readonly answer: string;
}

/** Maximum characters shown of a body. */
const maxBody = 300;

/**
 * Reads exchanges of a run by their ids. Those that the record lacks are left out. A run that was merged or made in rounds
 * has a record for each part.
 *
 * @param dir folder of the run
 * @throws RecordRefused if a record exists but is invalid
 */
export function readExchanges(
  dir: string,
  results: Results,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, ExchangeLines> {
  const found = new Map<string, ExchangeLines>();
  for (const part of recordFolders(results)) {
    const folder = join(dir, part, runFiles.evidence);
    if (!existsSync(folder)) continue;
    const record = openRecord(folder);
    for (const worker of record.workers)
      for (const { exchange } of record.linesOf(worker)) {
        const id = part === "" ? exchange.id : `${part}: ${exchange.id}`;
        if (wanted.has(id)) found.set(id, linesOf(exchange));
      }
  }
  return found;
}

function linesOf({ request, response, frames, failure, timings }: StoredExchange): ExchangeLines {
  const { endpoint, body } = request;
  const asked = `${endpoint} ${shown(body)}`;
  if (response === undefined) return { request: asked, answer: `no answer, ${failureText(failure)}` };
  const streamed = frames ? `, ${frames.filter(isMessage).length} stream messages` : "";
  const outcome = `HTTP ${response.status}${streamed}, ${Math.round(timings.totalMs)} ms`;
  return { request: asked, answer: `${outcome}: ${shown(frames?.[0]?.data ?? response.body)}` };
}

function failureText(failure: ExchangeFailure | undefined): string {
  return failure ? sanitizeShort(`${failure.kind}: ${failure.message}`, maxBody) : "for a reason that was not recorded";
}

function shown(stored: StoredText): string {
  return typeof stored === "string" ? sanitizeShort(stored, maxBody) : `${stored.characters} characters`;
}

interface AllureNames {
  readonly byId: Readonly<Record<string, { readonly name: string }>>;
}

const allureNames: Format<AllureNames> = {
  check: byZod(z.object({ byId: z.record(z.string().regex(/^[0-9a-f]{1,64}$/), z.object({ name: z.string() })) })),
  maxBytes: 64 * 1024 * 1024,
};

/** The addresses of a run's files, relative to a page. */
export interface RunLinks {
  /** The address of a file of the run; undefined if there is none. */
  readonly file: (name: keyof typeof runFiles, within?: string) => string | undefined;
  /** The address of a check in the report; undefined if there is no report, or if the report lacks the check. */
  readonly check: (name: string) => string | undefined;
}

/**
 * Finds the addresses of a run's files.
 *
 * @param page the file that links to them
 * @param dir folder of the run
 */
export function linksFrom(page: string, dir: string): RunLinks {
  const file: RunLinks["file"] = (name, within = "") => {
    const path = join(dir, runFiles[name], within);
    return existsSync(path) ? relativeUrl(page, path) : undefined;
  };
  const report = file("allureReport", "index.html");
  const ids = report === undefined ? undefined : checkIds(join(dir, runFiles.allureReport));
  return {
    file,
    check: (name) => {
      const id = ids?.get(sanitize(name));
      return id === undefined ? undefined : `${report}#${id}`;
    },
  };
}

/** The ids of checks in the report, by check name; empty if the report does not list them. */
function checkIds(folder: string): ReadonlyMap<string, string> {
  try {
    const { byId } = readJsonWithin(folder, "test-results.json", allureNames);
    return new Map(Object.entries(byId).map(([id, { name }]) => [sanitize(name), id]));
  } catch (error) {
    if (error instanceof FileRefused) return new Map();
    throw error;
  }
}
