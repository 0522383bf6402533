import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileSystemWriter } from "allure-js-commons/sdk/reporter";

/**
 * Writes Allure's raw results as plain files. The writer that Allure brings waits for the disk after each of some two
 * thousand files, half a second of a run, to survive a power cut: after one, a run is made again.
 */
export class PlainWriter extends FileSystemWriter {
  constructor(private readonly resultsDir: string) {
    super({ resultsDir });
    mkdirSync(resultsDir, { recursive: true });
  }

  override writeAttachment(name: string, content: Buffer): void {
    this.#write(name, content);
  }

  override writeResult(result: Parameters<FileSystemWriter["writeResult"]>[0]): void {
    this.#write(`${result.uuid}-result.json`, JSON.stringify(result));
  }

  #write(name: string, content: Buffer | string): void {
    writeFileSync(join(this.resultsDir, name), content);
  }
}
