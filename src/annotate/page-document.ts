import type { Token } from "markdown-it";
import { html, htmlLines } from "../report/html.js";
import { type AnnotatedDocument, type AnnotatedStatement, isMarked } from "./annotation.js";
import { cellSeparator } from "./document.js";
import type { TextRange } from "./sentences.js";
import type { Inline, Span } from "./spans.js";
import { mostSevere, type Status, statusTexts } from "./status.js";

/** The elements that the page may have. Headings go down one level, since the page has a title of its own. */
const elements: ReadonlySet<string> = new Set(
  "p ul ol li table thead tbody tr th td blockquote h2 h3 h4 h5 h6".split(" "),
);

/** A part of a block that belongs to one unit. */
interface BlockPart extends TextRange {
  readonly unit: AnnotatedStatement;
  /** The unit begins here. */
  readonly first: boolean;
  /** The unit ends here. */
  readonly last: boolean;
  /** The quoted words in it, by their position in the block, and what the run says about them. */
  readonly quotes: readonly (TextRange & { readonly status: Status })[];
}

/** The id of the panel of a statement. */
export function panelId({ id }: Pick<AnnotatedStatement, "id">): string {
  return `p${id.slice(1)}`;
}

/**
 * Renders the document as HTML, with each statement linked to its panel. All text is escaped. Links only show where they
 * lead, since the text around them already links to the panel.
 */
export function documentHtml({ document, units }: AnnotatedDocument): string {
  const parts = partsByBlock(document.units, units);
  const lines: string[] = [];
  let block = 0;
  for (const token of document.tokens) {
    if (token.type === "inline" || token.type === "fence" || token.type === "code_block") {
      const inline = document.blocks[block] ?? { text: "", spans: [] };
      const content = blockHtml(inline, parts.get(block) ?? []);
      lines.push(token.type === "inline" ? content : `<pre>${content}</pre>\n`);
      block++;
    } else lines.push(elementHtml(token));
  }
  return lines.join("");
}

function elementHtml({ type, tag, nesting, hidden, attrs }: Token): string {
  if (hidden) return "";
  if (type === "hr") return "<hr>\n";
  const level = /^h([1-6])$/.exec(tag)?.[1];
  const name = level === undefined ? tag : `h${Math.min(6, Number(level) + 1)}`;
  if (!elements.has(name)) return "";
  if (nesting < 0) return `</${name}>${name === "table" ? "</div>" : ""}\n`;
  const start = attrs?.find(([attribute]) => attribute === "start")?.[1];
  const attributes = name === "ol" && start !== undefined ? ` start="${html(start)}"` : "";
  return `${name === "table" ? '<div class="wide">' : ""}<${name}${attributes}>`;
}

/** The parts of each block, in order. */
function partsByBlock(
  units: AnnotatedDocument["document"]["units"],
  annotated: readonly AnnotatedStatement[],
): ReadonlyMap<number, BlockPart[]> {
  const parts = new Map<number, BlockPart[]>();
  for (const [index, { pieces }] of units.entries()) {
    const unit = annotated[index];
    if (unit === undefined) continue;
    let offset = 0;
    for (const [order, { block, from, to }] of pieces.entries()) {
      const shift = from - offset;
      const quotes = unit.quotes
        .map((quote) => ({ from: quote.from + shift, to: quote.to + shift, status: quote.status }))
        .filter((quote) => quote.from < to && quote.to > from);
      const part = { unit, from, to, first: order === 0, last: order === pieces.length - 1, quotes };
      parts.set(block, [...(parts.get(block) ?? []), part]);
      offset += to - from + cellSeparator.length;
    }
  }
  return parts;
}

function blockHtml(inline: Inline, parts: readonly BlockPart[]): string {
  let content = "";
  let at = 0;
  for (const part of parts) {
    content += spansHtml(inline.spans, { from: at, to: part.from });
    content += partHtml(inline.spans, part);
    at = part.to;
  }
  return content + spansHtml(inline.spans, { from: at, to: inline.text.length });
}

function partHtml(spans: readonly Span[], { unit, first, last, quotes, from, to }: BlockPart): string {
  const anchor = first ? ` id="${unit.id}"` : "";
  if (!isMarked(unit)) return `<span${anchor}>${spansHtml(spans, { from, to })}</span>`;
  const cuts = [from, to, ...quotes.flatMap((quote) => [quote.from, quote.to])].filter(
    (cut) => cut >= from && cut <= to,
  );
  const edges = [...new Set(cuts)].sort((a, b) => a - b);
  const inner = edges.slice(1).map((end, index) => {
    const range = { from: edges[index] ?? from, to: end };
    const quotesHere = quotes.filter((quote) => quote.from <= range.from && quote.to >= range.to);
    const words = spansHtml(spans, range);
    return quotesHere.length === 0
      ? words
      : `<mark class="${mostSevere(quotesHere.map(({ status }) => status))}">${words}</mark>`;
  });
  const difference = differenceName(unit);
  const classes = [
    "s",
    unit.status,
    unit.id,
    ...(first ? ["first"] : []),
    ...(difference === undefined ? [] : ["differs"]),
  ];
  const title = [statusTexts[unit.status].name, ...(difference === undefined ? [] : [difference])].join(", ");
  const tag = last && difference !== undefined ? `<sup>${difference}</sup>` : "";
  return `<a class="${classes.join(" ")}"${anchor} href="#${panelId(unit)}" title="${title}">${inner.join("")}${tag}</a>`;
}

/** How a unit differs from the text that rules quote: `changed`, `new` or `moved`. */
export function differenceName({ state, movedFrom }: AnnotatedStatement): string | undefined {
  if (state !== "same") return state;
  return movedFrom === undefined ? undefined : "moved";
}

/** A range of some spans, as HTML. */
function spansHtml(spans: readonly Span[], { from, to }: TextRange): string {
  let content = "";
  let start = 0;
  for (const span of spans) {
    const text = span.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += span.text.length;
    if (text === "") continue;
    let shown = htmlLines(text);
    if (span.code) shown = `<code>${shown}</code>`;
    if (span.strong) shown = `<strong>${shown}</strong>`;
    if (span.emphasis) shown = `<em>${shown}</em>`;
    if (span.href !== undefined) shown = `<span class="link" title="${html(span.href)}">${shown}</span>`;
    content += shown;
  }
  return content;
}
