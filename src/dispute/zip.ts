import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Zip, ZipDeflate } from "fflate";
import { filesOf } from "../files/output-folder.js";

/**
 * Packs files into a ZIP archive, chunk by chunk, so that no file is held in memory.
 *
 * @param dir folder of ours that contains the files
 * @param names files and folders in it
 * @param within the folder inside the archive to put them in
 */
export async function* zipped(dir: string, names: readonly string[], within: string): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  const taken = () => {
    const chunks = ready;
    ready = [];
    return chunks;
  };
  for (const path of await filesOf(dir, names)) {
    const member = new ZipDeflate(`${within}/${path}`);
    zip.add(member);
    for await (const chunk of createReadStream(join(dir, path))) {
      member.push(chunk as Buffer);
      yield* taken();
    }
    member.push(new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
