import { join } from "node:path";
import { z } from "zod";
import { RecordRefused, sessionFile } from "../evidence/folder.js";
import { hider, redactTexts } from "../evidence/redact.js";
import { exactly } from "../files/exact.js";
import { byZod, type Format, readJsonWithin } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import { writeWhole } from "../files/write.js";
import { catalogueDigest } from "../specification/catalogue/index.js";
import type { Session } from "./session-data.js";
import { type SessionOnFile, sessionSchema } from "./session-schema.js";

/** A session as it stands beside its evidence: all that the checks depend on, and no secret. */
export interface SessionFile {
  readonly format: "perp-conformance/session";
  readonly formatVersion: 1;
  /** The rules that were judged. */
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

/** Writes the session beside the evidence, so that it can be judged again. */
export async function writeSession(dir: string, session: Session): Promise<void> {
  const { recordDir: _, ownSuites: __, ...plain } = session;
  const { tls, ...target } = session.target;
  const hide = hider(session.target.secrets);
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

/** A number that JSON has no word for, in words: a target may have given it, and what follows from it is to follow again. */
function numbersInWords(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/**
 * The session that some evidence belongs to.
 *
 * @throws RecordRefused when it is not there, or is none that this version can judge by
 */
export async function readSession(dir: string): Promise<SessionFile> {
  try {
    return readJsonWithin(dir, sessionFile, sessionFormat);
  } catch (error) {
    throw error instanceof FileRefused ? new RecordRefused(error.message, error.missing) : error;
  }
}
