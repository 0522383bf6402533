import { gzipSync } from "node:zlib";
import { frontPage, frontStyle, toneOf } from "./allure-front.js";
import type { EarlierRun } from "./allure-history.js";
import { html as escaped, pageStyle } from "./html.js";
import type { Results } from "./results.js";
import { conclusionInWords } from "./wording.js";

/**
 * Changes Allure's page where Allure has no setting for it. The page is a single HTML file that embeds its script and its
 * data files in base64.
 */

/** The groups and results of one tree in the page's data, by id. */
interface Tree {
  readonly root: TreeGroup;
  readonly groupsById: Readonly<Record<string, TreeGroup>>;
  readonly leavesById: Readonly<Record<string, TreeLeaf>>;
}

interface TreeGroup {
  readonly leaves?: string[];
}

interface TreeLeaf {
  readonly id: string;
  readonly nodeId: string;
  readonly name: string;
  /** Sort key for groups that are not sorted by name or status: a group sorts by the smallest one in it. */
  start?: number;
  /** Position of the result in its group. */
  groupOrder?: number;
}

/** Data files embedded in the page, by path. */
type Files = Map<string, Buffer>;

/**
 * Turns Allure's page into our report. Puts our front page before Allure's pages, lists results in the order of `names`,
 * removes the tracking script, and compresses script and data.
 *
 * @param names names of all results, in display order
 * @param earlier earlier runs, newest first
 * @throws if the page is not in the form that this version of Allure writes
 */
export function rewritePage(
  page: string,
  results: Results,
  names: readonly string[],
  earlier: readonly EarlierRun[] = [],
): string {
  const { before, app, files, after } = partsOf(page);
  inOrder(files, names);
  const links = linksOf(files);
  const front = frontPage(results, (check) => links.get(check), earlier);
  const tone = toneOf(results);
  const bar = `<a class="page conclusion-bar ${tone}" href="#"><b>${escaped(conclusionInWords(results))}</b> <span>${escaped(results.target.baseUrl)}</span> <span class="back">First page</span></a>`;
  const head = `<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>${pageStyle}${frontStyle}${allureStyle}</style>
<script>${viewScript}</script>
</head>`;
  const body = `<body>
<main class="page" id="front">
${front}
</main>
${bar}`;
  const start = `<script type="text/plain" id="packed">${packed(app, files)}</script>
<script>${startScript}</script>`;
  return `${before}${start}${after}`
    .replace("</head>", () => head)
    .replace("<body>", () => body)
    .replace('"sections":["charts","timeline"]', '"sections":[]');
}

/** Splits the page into its script, its data files, and the HTML before and after them. */
function partsOf(page: string): { before: string; app: string; files: Files; after: string } {
  const appStart = page.search(/<script\s+src="data:text\/javascript;base64,/);
  const appEnd = page.indexOf("</script>", appStart);
  const dataStart = page.indexOf("<script async>", page.lastIndexOf("googletagmanager") + 1);
  const dataEnd = page.lastIndexOf("</script>");
  const app = /base64,([\w+/=]+)"/.exec(page.slice(appStart, appEnd))?.[1];
  const files: Files = new Map();
  for (const [, path = "", data = ""] of page.slice(dataStart, dataEnd).matchAll(/\bd\("([^"]+)","([\w+/=]*)"\)/g))
    files.set(path, Buffer.from(data, "base64"));
  if (app === undefined || !(appStart < appEnd && appEnd < dataStart) || !files.has("widgets/tree.json"))
    throw new Error("Allure's page is not as expected: its program or its data were not found in it");
  return {
    before: page.slice(0, appStart),
    app: Buffer.from(app, "base64").toString("utf8"),
    files,
    // Between script and data is a Google Analytics script. It is dropped: a report must not tell anyone that it is being
    // read.
    after: page.slice(dataEnd + "</script>".length),
  };
}

/**
 * Allure lists results in the order they were made, which is arbitrary when checks run in parallel. This sorts the results,
 * and with them the sections and rules, in the order of `names`. The arrows from result to result follow that order.
 */
function inOrder(files: Files, names: readonly string[]): void {
  const places = new Map(names.map((name, index) => [name, index]));
  const placeOf = (leaf: TreeLeaf | undefined) => places.get(leaf?.name ?? "") ?? names.length;
  const leaves = new Map<string, TreeLeaf>();
  rewrite<Tree>(files, "tree", (tree) => {
    for (const leaf of Object.values(tree.leavesById)) {
      leaf.start = placeOf(leaf);
      leaves.set(leaf.nodeId, leaf);
    }
    for (const { leaves: ids } of [tree.root, ...Object.values(tree.groupsById)]) {
      ids?.sort((a, b) => placeOf(tree.leavesById[a]) - placeOf(tree.leavesById[b]));
      ids?.forEach((id, index) => {
        const leaf = tree.leavesById[id];
        if (leaf) leaf.groupOrder = index + 1;
      });
    }
    return tree;
  });
  rewrite<string[]>(files, "nav", (ids) => ids.sort((a, b) => placeOf(leaves.get(a)) - placeOf(leaves.get(b))));
}

/** Rewrites all data files of this name: one for all results, and one per environment. */
function rewrite<T>(files: Files, name: string, change: (data: T) => T): void {
  for (const [path, data] of files) {
    if (!new RegExp(`^widgets/(?:[\\w-]+/)?${name}\\.json$`).test(path)) continue;
    files.set(path, Buffer.from(JSON.stringify(change(JSON.parse(data.toString("utf8")) as T))));
  }
}

/** The address of each result's page, by result name. */
function linksOf(files: Files): ReadonlyMap<string, string> {
  const tree = JSON.parse(files.get("widgets/tree.json")?.toString("utf8") ?? "{}") as Tree;
  return new Map(Object.values(tree.leavesById).map(({ name, nodeId }) => [name, `#${nodeId}`]));
}

/** Packs script and data for the browser: gzipped JSON in base64. Content that several paths share is stored once. */
function packed(app: string, files: Files): string {
  const texts: Record<string, string> = {};
  const binaries: Record<string, string> = {};
  const same: Record<string, string> = {};
  const paths = new Map<string, string>();
  for (const [path, data] of files) {
    const base64 = data.toString("base64");
    const first = paths.get(base64);
    if (first !== undefined) {
      same[path] = first;
      continue;
    }
    paths.set(base64, path);
    const text = data.toString("utf8");
    if (Buffer.from(text).equals(data)) texts[path] = text;
    else binaries[path] = base64;
  }
  return gzipSync(JSON.stringify({ app, texts, binaries, same }), { level: 9 }).toString("base64");
}

/** Shows the front page if the address has no fragment, else Allure's pages. Allure starts when it is first needed. */
const viewScript = `
const isFront = () => location.hash.length < 2;
const showView = () => {
  document.documentElement.dataset.view = isFront() ? "front" : "allure";
  if (!isFront()) globalThis.startAllure?.();
};
addEventListener("hashchange", showView);
showView();
// Allure scrolls past what a page begins with to the first failed result; it stays at its top until somebody touches it.
const stay = ({ target }) => { if (target.matches?.("[data-tree-scroll-container]")) target.scrollTop = 0; };
document.addEventListener("scroll", stay, true);
const leave = () => document.removeEventListener("scroll", stay, true);
for (const type of ["wheel", "touchmove", "keydown"]) addEventListener(type, leave, { capture: true, once: true });
`;

const startScript = `
window.allureReportDataReady = false;
window.allureReportData = {};
let started = false;
globalThis.startAllure = async () => {
  if (started) return;
  started = true;
  try {
    const binary = atob(document.getElementById("packed").textContent);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const { app, texts, binaries, same } = JSON.parse(await new Response(unpacked).text());
    const base64 = (text) => {
      const content = new TextEncoder().encode(text);
      let result = "";
      for (let from = 0; from < content.length; from += 24573)
        result += btoa(String.fromCharCode(...content.subarray(from, from + 24573)));
      return result;
    };
    for (const path of [...Object.keys(texts), ...Object.keys(binaries), ...Object.keys(same)]) {
      const first = same[path] ?? path;
      Object.defineProperty(window.allureReportData, path, {
        enumerable: true,
        get: () => binaries[first] ?? base64(texts[first]),
      });
    }
    window.allureReportDataReady = true;
    const script = document.createElement("script");
    script.src = URL.createObjectURL(new Blob([app], { type: "text/javascript" }));
    document.body.append(script);
  } catch (error) {
    document.getElementById("allure-app-loader").textContent =
      "This browser cannot unpack the report: " + error.message + ". Everything is in summary.md and results.json, too.";
  }
};
showView();
`;

/** Switches between the two views, fits Allure's pages to phones, hides what this harness does not use, and unclips text. */
const allureStyle = `
[data-view="front"] body>:not(#front){display:none!important}
[data-view="allure"] #front{display:none}
html[data-view="front"],html[data-view="front"] body{height:auto!important;overflow:auto!important}
[data-view="front"] body{background:#fff}
@media screen and (prefers-color-scheme:dark){[data-view="front"] body{background:#151b23}}
.page.conclusion-bar{display:flex;gap:.2rem .8rem;align-items:center;flex-wrap:wrap;max-width:none;width:100%;min-height:0;padding:.45rem 1rem;font-size:.9rem;text-decoration:none;position:relative;z-index:2}
.page.conclusion-bar.bad{background:#b42318;color:#fff}.page.conclusion-bar.good{background:#19703a;color:#fff}.page.conclusion-bar.open{background:#8a6100;color:#fff}
.page.conclusion-bar .back{margin-left:auto;text-decoration:underline;white-space:nowrap}
[data-view="allure"] body{display:flex;flex-direction:column;height:100dvh;margin:0;overflow:hidden}
[data-view="allure"] #app{flex:1;min-height:0;overflow:auto}
[data-testid="nav-tab-retries"],[data-testid="nav-tab-environments"],[data-testid$="-tab-retries"],[data-testid$="-tab-environments"],
[data-testid="nav-tab-qualityGate"],[data-testid="nav-tab-globalAttachments"],[data-testid="nav-tab-globalErrors"],
[data-testid="test-result-diff-button"],article[class*="styles_chart__"]{display:none!important}
[class*="styles_report-logo__"]{display:none!important}
[data-testid="test-result-attachment"] pre,[data-testid="code-attachment-content"]{max-height:70vh;overflow:auto}
@media(max-width:40rem){[data-testid="metadata-list"]{grid-template-columns:100%!important}[data-testid="metadata-item"]{display:block!important;margin-bottom:.4rem}}
[data-testid="metadata-item-value"] *{white-space:normal!important;overflow-wrap:anywhere;height:auto!important}
`;
