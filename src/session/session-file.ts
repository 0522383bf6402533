import { join } from "node:path";
import { z } from "zod";
import { RecordRefused, sessionFile } from "../evidence/folder.js";
import { redactor, redactTexts } from "../evidence/redact.js";
import { exactly } from "../files/exact.js";
import { byZod, type Format, readJsonWithin } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import { writeWhole } from "../files/write.js";
import { catalogueDigest } from "../specification/catalogue/index.js";
import type { Session } from "./session-data.js";
import { type SessionOnFile, sessionSchema } from "./session-schema.js";

/** A session as stored beside its evidence: everything that the checks depend on, without secrets. */
export interface SessionFile {
  readonly format: "perp-conformance/session";
  readonly formatVersion: 1;
  /** Digest of the rule catalogue that was judged. */
  readonly catalogueDigest: string;
  readonly session: SessionOnFile;
}

const sessionFormat: Format<SessionFile> = {
  name: "perp-conformance/session",
  versions: [1],
  check: byZod(
    exactly<SessionFile>({
      format: z.literal("perp-conformance/session"),
      formatVersion: z.literal(1),
      catalogueDigest: z.string().min(1),
      session: sessionSchema,
    }),
  ),
  maxBytes: 32 * 1024 * 1024,
  maxValues: 1_000_000,
};

/** Writes the session beside the evidence, so that the run can be judged again. */
export async function writeSession(dir: string, session: Session): Promise<void> {
  const { recordDir: _, ownSuites: __, ...plain } = session;
  const { tls, ...target } = session.target;
  const hide = redactor(session.target.secrets);
  const file: SessionFile = {
    format: "perp-conformance/session",
    formatVersion: 1,
    catalogueDigest: catalogueDigest(),
    session: {
      ...redactTexts(plain, hide),
      target: { ...target, tls: { insecure: tls.insecure }, secrets: { headers: [] } },
    },
  };
  await writeWhole(join(dir, sessionFile), `${JSON.stringify(file, numbersInWords, 1)}\n`);
}

/** Writes as strings the numbers that JSON cannot represent, so that rejudging sees what the target sent. */
function numbersInWords(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/**
 * Reads the session that belongs to a folder of evidence.
 *
 * @throws RecordRefused when it is missing, or this version cannot judge by it
 */
export async function readSession(dir: string): Promise<SessionFile> {
  try {
    return readJsonWithin(dir, sessionFile, sessionFormat);
  } catch (error) {
    throw error instanceof FileRefused ? new RecordRefused(error.message, error.missing) : error;
  }
}
