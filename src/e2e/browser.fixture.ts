import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** What Chromium is called, by who packages it. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The Chromium of this machine: `CHROME_PATH`, or the first on the `PATH`; undefined when there is none. */
export const browserPath: string | undefined =
  (process.env.CHROME_PATH || undefined) ??
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);

if (browserPath === undefined) {
  process.stderr.write(
    "\nNOT TESTED: how pages look in a browser. There is no Chromium on the PATH, and CHROME_PATH names none.\n\n",
  );
}

/** Starts the browser without a window. It must be closed. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(browserPath !== undefined && { executablePath: browserPath }),
    // Containers have no sandbox to give to root; the pages are ours.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
