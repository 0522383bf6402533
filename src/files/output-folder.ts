import { constants, existsSync, readdirSync, rmSync } from "node:fs";
import { access, lstat, readdir, readFile, realpath, rename, rm, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { isLock, lockFolder, refusalWhileHeld } from "./lock.js";
import { isSystemError } from "./system-error.js";
import { isTemporary, makeFolder, untilStill, WriteFailure, WriteRefused, writeWhole, writing } from "./write.js";

/** What a folder is for: what one kind of command has written, another does not replace. */
export type FolderKind = keyof typeof kinds;

const kinds = { run: "a run", bundle: "a bundle of a dispute", proof: "a proof" } as const;

/** What will be written into a folder. */
export interface FolderPlan {
  readonly kind: FolderKind;
  /** Files and folders, those first that tell readers that the rest is there. */
  readonly names: readonly string[];
  /** Files that are ours as well, and outlive what is written. */
  readonly keeps?: readonly string[];
  /** What the command reads: neither it, nor what it is in, nor anything in it may be written into. */
  readonly protects?: readonly string[];
  /**
   * Whether to write into the folder itself where nothing is to be kept, so that what a killed process leaves is found where
   * it was asked for. Otherwise nothing shows before all of it is there.
   */
  readonly inPlace?: boolean;
}

/** A folder that this process alone writes into. */
export interface OutputFolder {
  /** The folder, links resolved. */
  readonly path: string;
  /** Where to write until `commit`: the folder itself, or one in it. */
  readonly work: string;
  /** What the user should know of what was there. */
  readonly notes: readonly string[];
  /**
   * What was written takes the place of what was there before.
   *
   * @param cutShort whether somebody may still be writing: then folders are listed as a whole
   */
  commit(cutShort?: boolean): Promise<void>;
  /** Gives the folder back. What was not committed is removed; of a plan for writing in place it stays, for the next to replace. */
  close(): Promise<void>;
}

/** The marker: says that a folder is ours, and which files in it. */
export const markerFile = ".perp-conformance.json";

/** Where files are written that are to replace others. */
export const workFolder = "unfinished";

/** Where files go that are being replaced. */
const replacedFolder = "replaced";

const MAX_MARKER_BYTES = 64 * 1024 * 1024;

const markerSchema = z.strictObject({
  format: z.literal("perp-conformance/folder"),
  formatVersion: z.literal(1),
  kind: z.enum(Object.keys(kinds) as [FolderKind, ...FolderKind[]]),
  /** False while files are being written: then the list has what may be there, and folders as a whole. */
  complete: z.boolean(),
  /** Paths within the folder, with slashes. */
  files: z.array(z.string()),
});

type Marker = z.infer<typeof markerSchema>;

const cleanUps = new Set<() => void>();
process.on("exit", () => {
  if (cleanUps.size === 0) return;
  untilStill(() => {
    for (const cleanUp of cleanUps) cleanUp();
  });
});

/**
 * Opens a folder to write into. It must be new, empty, or have been written by a command of the same kind; then only what that
 * command has listed is replaced. The user's own files in it stay.
 *
 * @throws WriteRefused when the folder may not be used; WriteFailure when it cannot be
 */
export async function openOutputFolder(dir: string, plan: FolderPlan): Promise<OutputFolder> {
  const path = await resolved(dir);
  // What somebody else is writing just now may look like anything.
  await inspect(path, plan).catch(async (refusal) => {
    throw (await refusalWhileHeld(path)) ?? refusal;
  });
  const made = await makeFolder(path);
  const unlock = await lockFolder(path);
  try {
    // Somebody may have written into it before it was locked.
    const found = await inspect(path, plan);
    return await begin(path, plan, found, made, unlock);
  } catch (error) {
    unlock();
    await removeEmpty(made);
    throw error;
  }
}

/**
 * Says whether a folder could be opened (see {@link openOutputFolder}), before the work is done that fills it.
 *
 * @throws WriteRefused when the folder may not be used; WriteFailure when it cannot be written
 */
export async function checkOutputFolder(dir: string, plan: FolderPlan): Promise<void> {
  const path = await resolved(dir);
  await inspect(path, plan);
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  await writing(path, () => access(there, constants.W_OK));
}

async function begin(
  path: string,
  { kind, names, inPlace = false }: FolderPlan,
  found: FolderState,
  made: readonly string[],
  unlock: () => void,
): Promise<OutputFolder> {
  const beside = join(path, workFolder);
  const died = found.unfinished || found.marker?.complete === false;
  await writing(beside, () => rm(beside, { recursive: true, force: true }));
  sweep(path, names);
  // The list of what was not finished names all that may be there.
  if (found.marker?.complete === false) await removeAll(path, names);
  const work = inPlace && !found.marker?.complete ? path : beside;
  await makeFolder(work);
  await writeMarker(work, { kind, complete: false, files: [...names] });

  let committed = false;
  let mayBeWritten = true;
  const isToKeep = () => !committed && inPlace;
  const cleanUp = () => {
    sweep(path, names);
    if (isToKeep()) sweep(beside, names);
    else rmSync(beside, { recursive: true, force: true });
  };
  cleanUps.add(cleanUp);
  return {
    path,
    work,
    notes: died ? [`${path} has what is left of ${kinds[kind]} that did not finish: it is replaced`] : [],
    async commit(cutShort = false) {
      sweep(work, names);
      const files = cutShort ? [...names] : await filesOf(work, names);
      if (work !== path) {
        await writeMarker(path, { kind, complete: false, files: [...names] });
        await swap(work, path, names);
      }
      await writeMarker(path, { kind, complete: true, files });
      committed = true;
      mayBeWritten = cutShort;
    },
    async close() {
      // Whoever is still writing is ended with the process.
      if (!mayBeWritten) cleanUps.delete(cleanUp);
      sweep(work, names);
      if (!isToKeep()) await rm(beside, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      unlock();
      if (!committed) await removeEmpty(made);
    },
  };
}

/** Moves what was there aside and the new files in, all within one file system: at no time are there some of both. */
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

/** What is in a folder already. */
interface FolderState {
  readonly marker?: Marker;
  /** Whether there is a folder of files that were to replace others. */
  readonly unfinished: boolean;
}

/** Looks at a folder as it is, and refuses what is not ours to write. */
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
  const listed = new Set(marker?.files ?? []);
  for (const file of await filesOf(path, plan.names)) if (!isListed(file, listed)) throw refusedFile(join(path, file));
  return { unfinished, ...(marker ? { marker } : {}) };
}

/** Whether a folder holds nothing but files that were to replace others, also where whoever wrote them was killed at once. */
async function isWorkFolder(path: string, { names }: FolderPlan, isInOurs: boolean): Promise<boolean> {
  const entries = await entriesOf(path);
  const own = [...names, markerFile, replacedFolder];
  const isMarked = isInOurs || entries.includes(markerFile) || entries.length === 0;
  return isMarked && entries.every((name) => own.includes(name) || isTemporaryOf(name, own));
}

async function refusePlace(path: string, { protects = [] }: FolderPlan): Promise<void> {
  if (path === parse(path).root) throw new WriteRefused(`${path} is the root of the file system: name a folder in it`);
  if (path === (await resolved(homedir()))) throw new WriteRefused(`${path} is your home folder: name a folder in it`);
  for (const kept of await Promise.all(protects.map(resolved))) {
    if (isWithin(kept, path))
      throw new WriteRefused(`${path} has ${basename(kept)} in it, which is read: choose another folder with --out`);
    if (path === kept || isWithin(path, kept))
      throw new WriteRefused(`${path} lies in ${kept}, which is read: choose another folder with --out`);
  }
}

/** What a command has written would be altered by a folder within it. */
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

/** The files of these names in a folder, and those within them, as paths with slashes. Links are files. */
async function filesOf(dir: string, names: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) {
    const path = join(dir, name);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) continue;
    if (!found.isDirectory()) files.push(name);
    else
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
        if (!entry.isDirectory()) files.push(relative(dir, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  }
  return files;
}

/** Whether a file, or a folder that it is in, is in a list. */
function isListed(file: string, listed: ReadonlySet<string>): boolean {
  for (let part = file; part !== "."; part = dirname(part)) if (listed.has(part)) return true;
  return false;
}

/** The marker of a folder; none when there is no folder. */
async function readMarker(dir: string): Promise<Marker | undefined> {
  const path = join(dir, markerFile);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  try {
    if (!found.isFile() || found.size > MAX_MARKER_BYTES) throw new Error("it is no file of ours");
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

/** The folder that a path leads to, by whatever links; what of it does not exist yet is taken as it is named. */
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

/** Removes what was to take the place of these files and of others in these folders, at once: a process that ends cannot wait. */
function sweep(dir: string, names: readonly string[]): void {
  const own = [markerFile, ...names];
  for (const file of filesBelow(dir, false)) if (isTemporaryOf(file, own)) rmSync(join(dir, file), { force: true });
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
    // It is a file, or not there.
    return [];
  }
}
