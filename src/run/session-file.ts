import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hider, redactTexts } from "../evidence/redact.js";
import { writeWhole } from "../files/write.js";
import { catalogueDigest } from "../spec/catalogue/index.js";
import type { Session } from "./session.js";

/** A session as it stands beside its evidence: all that the checks depend on, and no secret. */
export interface SessionFile {
  readonly format: "perp-conformance/session";
  readonly formatVersion: 1;
  /** The rules that were judged. */
  readonly catalogueDigest: string;
  readonly session: Session;
}

const fileName = "session.json";

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
  await writeWhole(join(dir, fileName), `${JSON.stringify(file, undefined, 1)}\n`);
}

/**
 * The session that some evidence belongs to.
 *
 * @throws the system's error when the file is not there
 */
export async function readSession(dir: string): Promise<SessionFile> {
  const file = JSON.parse(await readFile(join(dir, fileName), "utf8")) as SessionFile;
  // Records of older versions know of no readings.
  return { ...file, session: { ...file.session, readings: file.session.readings ?? {} } };
}
