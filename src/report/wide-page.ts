import { html } from "./html.js";

/** A page with wide tables: its content, and what tells it apart from those of other commands. */
export interface WidePage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** CSS in addition to {@link wideStyle}. */
  readonly style: string;
  /** The element of the head by which the command recognizes a page of its own. */
  readonly mark?: string;
}

/** A page with wide tables that opens from the file system, loads nothing, fits phones, and follows light or dark mode. */
export function widePage({ title, body, style, mark = "" }: WidePage): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${mark}<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${html(title)}</title><style>${wideStyle}${style}</style></head><body><main>
${body}
</main></body></html>
`;
}

/** A part of a page that can be folded. The content is HTML; without any there is no part. */
export function part(title: string, content: string, open: boolean): string {
  if (content === "") return "";
  return `<details class="part"${open ? " open" : ""}><summary><h2>${html(title)}</h2></summary>${content}</details>`;
}

const wideStyle = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2430;--dim:#5a6573;--line:#d5dae1;--soft:#f4f6f8;--bad:#fbdcd8}
@media (prefers-color-scheme:dark){:root{--bg:#14181e;--fg:#e4e8ee;--dim:#9aa5b3;--line:#343c47;--soft:#1c222a;--bad:#4a1c18}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
main{margin:0 auto;padding:1.5rem}h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:0}
.dim{color:var(--dim);font-size:.86em}small{display:block}article{border:1px solid var(--line);border-radius:.5rem;padding:.75rem .9rem;overflow-wrap:anywhere}article p{margin:.25rem 0}
details.part{border-top:1px solid var(--line);padding:.75rem 0}details.part>summary h2{display:inline}summary{cursor:pointer}dl{margin:.3rem 0}dt{color:var(--dim)}dd{margin:0 0 .3rem}
.scroll{overflow-x:auto;margin-top:.6rem}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
thead th{background:var(--soft)}tbody th{font-weight:400}code{font:12.5px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}meter{display:block;width:100%;height:.5rem}
@media (max-width:700px){main{padding:1rem}h1{font-size:1.3rem}thead{display:none}table,tbody,tr,tbody th,td{display:block;width:100%}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}tbody th,td{border:0}}
`;
