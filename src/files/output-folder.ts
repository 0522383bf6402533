import { constants, existsSync, readdirSync, rmSync, type Stats } from "node:fs";
import { access, lstat, readdir, readFile, realpath, rename, rm, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, extname, join, parse, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { isLock, lockFolder, refusalWhileHeld } from "./lock.js";
import { isSystemError } from "./system-error.js";
import { exitCleanUps, isTemporary, makeFolder, WriteFailure, WriteRefused, writeWhole, writing } from "./write.js";

/** What a folder is for. A command never replaces the output of another kind of command. */
export type FolderKind = keyof typeof kinds;

const kinds = { run: "a run", bundle: "a bundle of a dispute", proof: "a proof" } as const;

/** What a command is going to write into a folder. */
export interface FolderPlan {
  readonly kind: FolderKind;
  /**
   * Files, which have an extension, and folders, which have none, to write. Those that tell readers that the rest is there
   * come first.
   */
  readonly names: readonly string[];
  /** Further files of ours that are left in place when the output is replaced. */
  readonly keeps?: readonly string[];
  /** Inputs of the command. The output folder must not be one of them, nor contain one or lie within one. */
  readonly protects?: readonly string[];
  /**
   * Whether to write directly into the folder unless it holds complete output. If the process is killed, its partial output
   * is then where the user expects it. Otherwise nothing is visible until everything is written.
   */
  readonly inPlace?: boolean;
}

/** An output folder locked by this process. */
export interface OutputFolder {
  /** The folder, with links resolved. */
  readonly path: string;
  /** Where to write until `commit`: the folder itself, or one inside it. */
  readonly work: string;
  /** Notes for the user about what was there before. */
  readonly notes: readonly string[];
  /**
   * Replaces the previous output with what was written.
   *
   * @param cutShort whether something may still be writing; the marker then lists whole folders instead of their files
   */
  commit(cutShort?: boolean): Promise<void>;
  /** Releases the folder. Uncommitted output is removed, except for a plan with `inPlace`: the next command replaces it. */
  close(): Promise<void>;
}

/** The marker file: it shows that a folder is ours, and lists our files in it. */
export const markerFile = ".perp-conformance.json";

/** Folder for new files until they replace the old ones. */
export const workFolder = "unfinished";

/** Folder for old files while they are being replaced. */
const replacedFolder = "replaced";

const maxMarkerBytes = 64 * 1024 * 1024;

const markerSchema = z.strictObject({
  format: z.literal("perp-conformance/folder"),
  formatVersion: z.literal(1),
  kind: z.enum(Object.keys(kinds) as FolderKind[]),
  /** False while files are being written; the list then has everything that may be there, with whole folders. */
  complete: z.boolean(),
  /** Paths relative to the folder, with forward slashes. */
  files: z.array(z.string()),
});

type Marker = z.infer<typeof markerSchema>;

/**
 * Opens a folder for output. It must be new, empty, or written by a command of the same kind. Only the files listed by that
 * command are replaced; the user's own files stay.
 *
 * @throws WriteRefused when the folder must not be used; WriteFailure when it cannot be written
 */
export async function openOutputFolder(dir: string, plan: FolderPlan): Promise<OutputFolder> {
  const path = await resolved(dir);
  await inspectUnlocked(path, plan);
  const made = await makeFolder(path);
  const unlock = await lockFolder(path);
  try {
    // Something may have been written before the lock was taken.
    const found = await inspect(path, plan);
    return await begin(path, plan, found, made, unlock);
  } catch (error) {
    unlock();
    await removeEmpty(made);
    throw error;
  }
}

/**
 * Checks whether a folder could be opened (see {@link openOutputFolder}), before doing the work that fills it.
 *
 * @throws WriteRefused when the folder must not be used; WriteFailure when it cannot be written
 */
export async function checkOutputFolder(dir: string, plan: FolderPlan): Promise<void> {
  const path = await resolved(dir);
  await inspectUnlocked(path, plan);
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  await writing(path, () => access(existing, constants.W_OK));
}

async function begin(
  path: string,
  { kind, names, inPlace = false }: FolderPlan,
  found: FolderState,
  made: readonly string[],
  unlock: () => void,
): Promise<OutputFolder> {
  const unfinishedDir = join(path, workFolder);
  const wasInterrupted = found.unfinished || found.marker?.complete === false;
  await writing(unfinishedDir, () => rm(unfinishedDir, { recursive: true, force: true }));
  sweep(path, names);
  // An incomplete marker lists everything that may be there.
  if (found.marker?.complete === false) await removeAll(path, names);
  const work = inPlace && !found.marker?.complete ? path : unfinishedDir;
  try {
    await makeFolder(work);
    await writeMarker(work, { kind, complete: false, files: [...names] });
  } catch (error) {
    await rm(unfinishedDir, { recursive: true, force: true }).catch(() => {});
    throw error;
  }

  let committed = false;
  let mayStillBeWriting = true;
  const isToKeep = () => !committed && inPlace;
  const cleanUp = () => {
    sweep(path, names);
    if (isToKeep()) sweep(unfinishedDir, names);
    else rmSync(unfinishedDir, { recursive: true, force: true });
  };
  exitCleanUps.add(cleanUp);
  return {
    path,
    work,
    notes: wasInterrupted ? [`${path} has what is left of ${kinds[kind]} that did not finish: it is replaced`] : [],
    async commit(cutShort = false) {
      sweep(work, names);
      const files = cutShort ? [...names] : await filesOf(work, names);
      if (work !== path) {
        await writeMarker(path, { kind, complete: false, files: [...names] });
        await swap(work, path, names);
      }
      await writeMarker(path, { kind, complete: true, files });
      committed = true;
      mayStillBeWriting = cutShort;
    },
    async close() {
      // If something may still be writing, cleaning up again has to wait for the process to exit.
      if (!mayStillBeWriting) exitCleanUps.delete(cleanUp);
      sweep(work, names);
      if (!isToKeep()) await rm(unfinishedDir, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      unlock();
      if (!committed) await removeEmpty(made);
    },
  };
}

/** Moves the old files aside, then the new ones in, all within one file system: old and new are never mixed. */
async function swap(work: string, path: string, names: readonly string[]): Promise<void> {
  const aside = join(work, replacedFolder);
  await makeFolder(aside);
  for (const name of names) await moveIfThere(join(path, name), join(aside, name));
  for (const name of names.toReversed()) await moveIfThere(join(work, name), join(path, name));
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await writing(to, () => rename(from, to)).catch((error: WriteFailure) => {
    if (!(isSystemError(error.cause) && error.cause.code === "ENOENT")) throw error;
  });
}

/** What a folder already contains. */
interface FolderState {
  readonly marker?: Marker;
  /** Whether there is a work folder left over from a command that did not finish. */
  readonly unfinished: boolean;
}

/**
 * Inspects a folder that this process has not locked. If another process is writing there, that is what is reported: its
 * unfinished output may look like anything.
 */
async function inspectUnlocked(path: string, plan: FolderPlan): Promise<void> {
  await inspect(path, plan).catch(async (refusal) => {
    throw (await refusalWhileHeld(path)) ?? refusal;
  });
}

/** Inspects a folder, and refuses it when writing would touch anything that is not ours. */
async function inspect(path: string, plan: FolderPlan): Promise<FolderState> {
  await refusePlace(path, plan);
  await refuseWithinOurs(path);
  const entries = (await entriesOf(path)).filter((name) => !isLock(name));
  const marker = await readMarker(path);
  if (marker !== undefined && marker.kind !== plan.kind)
    throw new WriteRefused(
      `${path} holds ${kinds[marker.kind]}, not ${kinds[plan.kind]}: choose another folder with --out`,
    );
  const unfinished = entries.includes(workFolder);
  const isOurs = unfinished && (await isWorkFolder(join(path, workFolder), plan, marker !== undefined));
  const known = new Set([markerFile, ...(plan.keeps ?? []), ...(isOurs ? [workFolder] : [])]);
  const foreign = entries.filter((name) => !known.has(name) && !isTemporaryOf(name, [markerFile]));
  if (marker === undefined && foreign.length > 0) throw refusedAsForeign(path, foreign, plan);
  if (unfinished && !isOurs) throw refusedFile(join(path, workFolder));
  for (const file of plan.names.filter((name) => extname(name) !== "").map((name) => join(path, name)))
    if ((await foundAt(file))?.isDirectory()) throw refusedFile(file);
  // A file that is written again must be no link, pipe or folder.
  for (const file of (plan.keeps ?? []).map((name) => join(path, name)))
    if ((await foundAt(file))?.isFile() === false) throw refusedFile(file);
  const listed = new Set(marker?.files ?? []);
  for (const file of await filesOf(path, plan.names)) if (!isListed(file, listed)) throw refusedFile(join(path, file));
  return { unfinished, ...(marker && { marker }) };
}

/** Whether a folder is a work folder of ours and contains nothing else, even if its writer was killed right at the start. */
async function isWorkFolder(path: string, { names }: FolderPlan, isInOurs: boolean): Promise<boolean> {
  const entries = await entriesOf(path);
  const ourNames = [...names, markerFile, replacedFolder];
  const isMarked = isInOurs || entries.includes(markerFile) || entries.length === 0;
  return isMarked && entries.every((name) => ourNames.includes(name) || isTemporaryOf(name, ourNames));
}

async function refusePlace(path: string, { protects = [] }: FolderPlan): Promise<void> {
  if (path === parse(path).root) throw new WriteRefused(`${path} is the root of the file system: name a folder in it`);
  if (path === (await resolved(homedir()))) throw new WriteRefused(`${path} is your home folder: name a folder in it`);
  for (const kept of await Promise.all(protects.map(resolved))) {
    if (isWithin(kept, path))
      throw new WriteRefused(
        `${path} contains ${basename(kept)}, which this command reads: choose another folder with --out`,
      );
    if (path === kept || isWithin(path, kept))
      throw new WriteRefused(`${path} is inside ${kept}, which this command reads: choose another folder with --out`);
  }
}

/** Refuses a folder inside the output of another command, which it would alter. */
async function refuseWithinOurs(path: string): Promise<void> {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const marker = await readMarker(above);
    const inside = relative(above, path).replaceAll(sep, "/");
    const [first = ""] = inside.split("/");
    if (marker && (first === workFolder || marker.files.some((file) => file === first || file.startsWith(`${first}/`))))
      throw new WriteRefused(`${join(above, first)} belongs to ${kinds[marker.kind]}: choose a folder outside of it`);
  }
}

function refusedAsForeign(path: string, entries: readonly string[], { kind, names }: FolderPlan): WriteRefused {
  const ofOldVersion = entries.includes(names[0] ?? "") && entries.every((name) => names.includes(name));
  return new WriteRefused(
    ofOldVersion
      ? `${path} holds ${kinds[kind]} without a list of its files (${markerFile}): remove the folder, or choose another with --out`
      : `${path} is not empty, and was not written by this program: choose a new or an empty folder with --out`,
  );
}

function refusedFile(path: string): WriteRefused {
  return new WriteRefused(`${path} was not written by this program: move it away, or choose another folder with --out`);
}

/** The files with these names in a folder, and all files below them, with forward slashes. Links count as files. */
export async function filesOf(dir: string, names: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) {
    const path = join(dir, name);
    const found = await foundAt(path);
    if (found === undefined) continue;
    if (!found.isDirectory()) files.push(name);
    else
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
        if (!entry.isDirectory()) files.push(relative(dir, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  }
  return files;
}

/** What is at a path, without following a link; undefined when nothing is. */
function foundAt(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

/** Whether a file, or a folder containing it, is listed. */
function isListed(file: string, listed: ReadonlySet<string>): boolean {
  for (let part = file; part !== "."; part = dirname(part)) if (listed.has(part)) return true;
  return false;
}

/** The marker of a folder; undefined when there is none. */
async function readMarker(dir: string): Promise<Marker | undefined> {
  const path = join(dir, markerFile);
  const found = await foundAt(path);
  if (found === undefined) return undefined;
  try {
    if (!found.isFile() || found.size > maxMarkerBytes) throw new Error("it is not one of our files");
    return markerSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    throw new WriteRefused(`${path} cannot be read: choose another folder with --out`);
  }
}

async function writeMarker(dir: string, marker: Omit<Marker, "format" | "formatVersion">): Promise<void> {
  const text = JSON.stringify({ format: "perp-conformance/folder", formatVersion: 1, ...marker }, undefined, 1);
  await writeWhole(join(dir, markerFile), `${text}\n`);
}

async function entriesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT") return [];
    if (error.code === "ENOTDIR")
      throw new WriteRefused(`${dir} is a file, or a part of the path is: name a folder with --out`);
    throw new WriteFailure(dir, error);
  }
}

/** Resolves all links in a path; the part that does not exist yet is kept as given. */
async function resolved(dir: string): Promise<string> {
  const path = resolve(dir);
  try {
    return await realpath(path);
  } catch (error) {
    if (error instanceof TypeError) throw new WriteRefused("the name of a folder must not hold a NUL character");
    if (!isSystemError(error)) throw error;
    if (error.code === "ENAMETOOLONG")
      throw new WriteRefused(`${path.slice(0, 80)}... is too long for the name of a folder`);
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw new WriteFailure(path, error);
    return join(await resolved(dirname(path)), basename(path));
  }
}

function isWithin(path: string, dir: string): boolean {
  return path.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`);
}

async function removeAll(dir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await writing(join(dir, name), () => rm(join(dir, name), { recursive: true, force: true }));
}

async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {});
}

/** Removes temporary files of these files and in these folders. Synchronous, since an exiting process cannot wait. */
function sweep(dir: string, names: readonly string[]): void {
  const ourNames = [markerFile, ...names];
  for (const file of filesBelow(dir, false))
    if (isTemporaryOf(file, ourNames)) rmSync(join(dir, file), { force: true });
  for (const name of names)
    for (const file of filesBelow(join(dir, name), true))
      if (isTemporary(file)) rmSync(join(dir, name, file), { force: true });
}

function isTemporaryOf(file: string, names: readonly string[]): boolean {
  return isTemporary(file) && names.some((name) => file.startsWith(`${name}.`));
}

function filesBelow(dir: string, recursive: boolean): string[] {
  try {
    return readdirSync(dir, { recursive, encoding: "utf8" });
  } catch {
    // It is a file, or does not exist.
    return [];
  }
}
