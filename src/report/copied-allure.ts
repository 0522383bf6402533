import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ContentType } from "allure-js-commons";
import { z } from "zod";
import { isArrivalPlot } from "../evidence/arrival-plot.js";
import { readWithin } from "../files/read-file.js";
import { byZod, type Format, readJsonWithin } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import { allureFieldsOf } from "./allure-results.js";
import { checkEntriesOf, type Results } from "./results.js";
import { sanitize } from "./sanitize.js";

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const resultFile = new RegExp(`^${uuid}-result\\.json$`);
const attachmentFile = new RegExp(`^${uuid}-attachment(?:\\.\\w{1,20})?$`);

const maxAttachmentBytes = 8 * 1024 * 1024;

/**
 * The attachment types that are copied, each with a check of the content. Nothing else is copied, since the report shows
 * attachments to its readers.
 */
const attachmentTypes: Readonly<Record<string, (content: string) => boolean>> = {
  [ContentType.TEXT]: () => true,
  [ContentType.SVG]: isArrivalPlot,
  "application/vnd.allure.http+json": isJson,
};

const attachment = z.object({
  name: z.string().transform(sanitize),
  source: z.string().regex(attachmentFile),
  type: z.string().refine((type) => Object.hasOwn(attachmentTypes, type)),
});

const attachments = z.array(attachment).max(100);

const step = z.object({
  name: z.string().transform(sanitize),
  status: z.enum(["passed", "failed", "broken", "skipped"]).optional(),
  start: z.number(),
  stop: z.number(),
  attachments,
});

const rawResult = z.object({
  uuid: z.string().regex(new RegExp(`^${uuid}$`)),
  name: z.string(),
  labels: z.array(z.object({ name: z.string(), value: z.string() })).max(100),
  start: z.number(),
  stop: z.number(),
  steps: z.array(step).max(1_000),
  attachments,
  parameters: z
    .array(
      z.object({
        name: z.string().transform(sanitize),
        value: z.string().transform(sanitize),
        excluded: z.boolean().optional(),
      }),
    )
    .max(10)
    .default([]),
});

/** The parts of a raw Allure result that are needed here. */
type RawResult = z.infer<typeof rawResult>;

const rawResultFormat: Format<RawResult> = { check: byZod(rawResult), maxBytes: maxAttachmentBytes };

/**
 * Copies the Allure results for the checks of a shard: their times, steps and attachments. Everything else comes from the
 * merged results. Skips files that are not in the form that a run writes and files with a different verdict. Also skips rules
 * judged on every answer, since their results are rewritten.
 *
 * @returns names of the checks that were copied
 */
export function copyAllureResults(from: string, to: string, results: Results): string[] {
  const checks = new Map([...checkEntriesOf(results)].map((entry) => [entry.check.name, entry]));
  mkdirSync(to, { recursive: true });
  return filesIn(from).flatMap((file) => {
    const raw = orNothing(() => readJsonWithin(from, file, rawResultFormat));
    const entry = raw && checks.get(raw.name);
    if (!raw || !entry || verdictOf(raw) !== entry.check.verdict || raw.name.includes(" on every answer of "))
      return [];
    const files = orNothing(() => attachmentsOf(raw).map((one) => [one.source, contentOf(from, one)] as const));
    if (!files) return [];
    for (const [source, content] of files) writeFileSync(join(to, source), content);
    const { start, stop, steps, attachments, parameters } = raw;
    const result = { ...allureFieldsOf(results, entry.rule, entry.check), start, stop, steps, attachments };
    writeFileSync(join(to, file), JSON.stringify({ uuid: raw.uuid, ...result, parameters, links: [] }));
    return [raw.name];
  });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => resultFile.test(file));
  } catch {
    // An interrupted run has none.
    return [];
  }
}

function verdictOf({ labels }: RawResult): string | undefined {
  return labels.find(({ name }) => name === "verdict")?.value;
}

function attachmentsOf(raw: RawResult): RawResult["attachments"] {
  return [...raw.attachments, ...raw.steps.flatMap((each) => each.attachments)];
}

function contentOf(folder: string, { source, type }: RawResult["attachments"][number]): Buffer {
  const content = readWithin(folder, source, maxAttachmentBytes);
  if (!attachmentTypes[type]?.(content.toString("utf8")))
    throw new FileRefused(`${source} is not an attachment of a run`);
  return content;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
}
