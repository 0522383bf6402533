import type { Verdict } from "../engine/result.js";
import { sanitize } from "./sanitize.js";

/** Escapes a text for HTML, SVG or an attribute of either. It is shown as it is and has no effect. */
export function html(text: string): string {
  return sanitize(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** {@link html} for text with several lines in a `<pre>`: line breaks are kept. */
export function htmlLines(text: string): string {
  return text.split("\n").map(html).join("\n");
}

/** Renders a sentence of ours as HTML. Text in backticks becomes code. */
export function prose(text: string): string {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? `<code>${html(part)}</code>` : html(part)))
    .join("");
}

/** The content of a page. */
export interface WebPage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** CSS in addition to {@link pageStyle}. */
  readonly style?: string;
}

/** An HTML page that opens from the file system, loads nothing, fits phones and print, and follows light or dark mode. */
export function webPage({ title, body, style = "" }: WebPage): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${html(title)}</title><style>${pageStyle}${style}</style></head><body>
<main class="page">
${body}
</main></body></html>
`;
}

/** A table of names and values. Values are HTML. Rows without a value are left out. */
export function factTable(rows: readonly (readonly [name: string, value: string | undefined])[]): string {
  const lines = rows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`<tr><th scope="row">${html(name)}</th><td>${value}</td></tr>`],
  );
  return lines.length === 0 ? "" : `<table class="facts">${lines.join("\n")}</table>`;
}

/** Formats a timestamp for human readers: `22 November 2026, 17:34 UTC`. */
function dateInWords(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(date);
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" }).format(date);
  return `${day}, ${time} UTC`;
}

/** {@link dateInWords} in HTML, with the timestamp itself in machine-readable form. */
export function dateElement(moment: string): string {
  return `<time datetime="${html(moment)}">${html(dateInWords(moment))}</time>`;
}

const verdictTones: Readonly<Partial<Record<Verdict, string>>> = {
  pass: "good",
  fail: "bad",
  error: "bad",
  warn: "open",
  inconclusive: "open",
  blocked: "open",
};

/** The CSS class of {@link pageStyle} that shows a verdict; empty if it needs no colour. */
export function verdictTone(verdict: Verdict): string {
  return verdictTones[verdict] ?? "";
}

/** The CSS that all pages share. It is scoped to `.page`, so that it can be used next to other content. */
export const pageStyle = `
:root{color-scheme:light dark}
.page{--text:#1c2430;--soft:#566173;--line:#d5dae1;--panel:#f4f6f8;--paper:#fff;--link:#0b57a4;
--good:#19703a;--good-paper:#e7f4eb;--bad:#b42318;--bad-paper:#fdecea;--open:#8a6100;--open-paper:#fcf3dc;--mark:#ffe08a}
@media screen and (prefers-color-scheme:dark){.page{--text:#e3e8ef;--soft:#9aa7b8;--line:#394555;--panel:#1f2833;--paper:#151b23;--link:#7cb7ff;
--good:#5fd08a;--good-paper:#16301f;--bad:#ff8a7d;--bad-paper:#3d1a17;--open:#f0c04f;--open-paper:#36290c;--mark:#6b5200}
html:not(:has(body>#app)) body{background:#151b23}}
body:has(>.page){margin:0}
.page{font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--paper);margin:0 auto;max-width:66rem;padding:1.25rem 1rem 3rem;box-sizing:border-box;overflow-wrap:anywhere}
.page *{box-sizing:border-box}
.page h1{font-size:1.7rem;line-height:1.25;margin:.2rem 0 .6rem}.page h2{font-size:1.2rem;margin:2rem 0 .6rem}.page h3{font-size:1rem;margin:1.2rem 0 .4rem}
.page p{margin:.4rem 0}.page a{color:var(--link)}.page ul{padding-left:1.2rem;margin:.4rem 0}
.page table{border-collapse:collapse;width:100%;margin:.6rem 0}
.page td,.page th{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
.page th{background:var(--panel);font-weight:600}.page .facts th{width:13rem}
.page code,.page pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.page pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;margin:.5rem 0;white-space:pre-wrap;max-height:32rem;overflow:auto}
.page mark{background:var(--mark);color:inherit;border-radius:2px}
.page .soft{color:var(--soft)}.page .scroll{overflow-x:auto}.page .scroll th{overflow-wrap:normal}
.page .good{color:var(--good)}.page .bad{color:var(--bad)}.page .open{color:var(--open)}
.page .chip{display:inline-block;border-radius:1rem;padding:.05rem .6rem;font-size:.85rem;font-weight:600;background:var(--panel)}
.page .chip.good{background:var(--good-paper)}.page .chip.bad{background:var(--bad-paper)}.page .chip.open{background:var(--open-paper)}
.page .card{border:1px solid var(--line);border-radius:8px;padding:.5rem .9rem;margin:.6rem 0}
.page .card.bad{border-left:5px solid var(--bad);color:inherit}.page .card.open{border-left:5px solid var(--open);color:inherit}
.page .banner{border-radius:10px;padding:1rem 1.2rem;background:var(--panel);color:var(--text)}
.page .banner.good{background:var(--good-paper)}.page .banner.bad{background:var(--bad-paper)}.page .banner.open{background:var(--open-paper)}
.page summary{cursor:pointer}
@media(max-width:40rem){.page .scroll tbody th{overflow-wrap:anywhere;min-width:9rem}.page .facts th,.page .facts td{display:block;width:auto;border-bottom:0}.page .facts tr:last-child td:last-child{border-bottom:1px solid var(--line)}}
@media print{.page{--text:#000;--soft:#444;--line:#bbb;--panel:#fff;--paper:#fff;--link:#000;--good:#19703a;--bad:#b42318;--open:#8a6100;max-width:none;padding:0;font-size:11pt}
.page pre{max-height:none}.page .card,.page tr{break-inside:avoid}.page h2,.page h3{break-after:avoid}}
`;
