import { hash } from "node:crypto";
import MarkdownIt, { type Token } from "markdown-it";
import { sectionOfHeading } from "./heading-section.js";
import { sentencesOf, type TextRange } from "./sentences.js";
import { type Inline, inlineOf } from "./spans.js";

/** A range of a text block (see {@link SpecificationDocument.blocks}). */
export interface Piece extends TextRange {
  /** Index of the block. */
  readonly block: number;
}

/** The smallest part of a document that is treated on its own: a sentence, or a table row up to its first sentence. */
export interface Unit {
  /** Headings, table heads and labels such as `Request:` are structure: they state nothing. */
  readonly kind: "statement" | "structure";
  /** Its section, as the catalogue names it (`§4.1`), or by its heading if the catalogue has no such section. */
  readonly section: string;
  /** Line in the file, from 1. */
  readonly line: number;
  /** Its text. The cells of a row are separated by ` | `. */
  readonly text: string;
  /** Identifies the text without containing it (see {@link digestOfText}). */
  readonly digest: string;
  readonly pieces: readonly Piece[];
}

/** A parsed specification: Markdown tokens for the page, and the units that they consist of. */
export interface SpecificationDocument {
  readonly tokens: readonly Token[];
  /** The texts of the document in order, one for each inline token and each block of code. */
  readonly blocks: readonly Inline[];
  readonly units: readonly Unit[];
}

/** Maximum size of a specification in bytes, many times that of a long one. */
export const maxSpecificationBytes = 2 * 1024 * 1024;

/** Raw HTML stays text: the file is data. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Maximum words of a label, such as `Common request headers:`. */
const labelWords = 3;

/** Separates the cells of a row in the text of a unit. */
export const cellSeparator = " | ";

/** Reads a specification in Markdown. */
export function readDocument(source: string): SpecificationDocument {
  const tokens = markdown.parse(source, {});
  const blocks: Inline[] = [];
  const units: Unit[] = [];
  const headings: { readonly level: number; readonly section: string }[] = [];
  let section = sectionOfHeading("", undefined);
  let row: { head: boolean; cells: number[]; line: number } | undefined;

  const add = (kind: Unit["kind"], pieces: readonly Piece[], line: number) => {
    const shown = pieces.filter(({ from, to }) => to > from);
    const text = shown.map(({ block, from, to }) => blocks[block]?.text.slice(from, to) ?? "").join(cellSeparator);
    if (text !== "") units.push({ kind, section, line, text, digest: digestOfText(text), pieces: shown });
  };
  const whole = (block: number): Piece => ({ block, from: 0, to: blocks[block]?.text.length ?? 0 });
  const sentences = (block: number): Piece[] =>
    sentencesOf(blocks[block] ?? { text: "", spans: [] }).map((range) => ({ block, ...range }));

  let heading: number | undefined;
  for (const token of tokens) {
    const line = (token.map?.[0] ?? 0) + 1;
    if (token.type === "heading_open") heading = Number(token.tag.slice(1));
    else if (token.type === "tr_open") row = { head: false, cells: [], line };
    else if (token.type === "th_open" && row) row.head = true;
    else if (token.type === "tr_close" && row) {
      if (row.head) add("structure", row.cells.map(whole), row.line);
      else {
        const body = row.cells.at(-1);
        const [first, ...others] = body === undefined ? [] : sentences(body);
        add("statement", [...row.cells.slice(0, -1).map(whole), ...(first ? [first] : [])], row.line);
        for (const sentence of others) add("statement", [sentence], row.line);
      }
      row = undefined;
    } else if (token.type === "inline") {
      const block = blocks.push(inlineOf(token)) - 1;
      const { text } = blocks[block] as Inline;
      if (row) row.cells.push(block);
      else if (heading !== undefined) {
        const level = heading;
        while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
        section = sectionOfHeading(text, headings.at(-1)?.section);
        headings.push({ level, section });
        add("structure", [whole(block)], line);
        heading = undefined;
      } else if (isLabel(text)) add("structure", [whole(block)], line);
      else for (const sentence of sentences(block)) add("statement", [sentence], line);
    } else if (token.type === "fence" || token.type === "code_block") {
      const text = token.content.trim();
      const block = blocks.push({ text, spans: [{ text, code: true, strong: false, emphasis: false }] }) - 1;
      add("statement", [whole(block)], line);
    }
  }
  return { tokens, blocks, units };
}

/** The first 16 hexadecimal digits of SHA-256 over a text. */
function digestOfText(text: string): string {
  return hash("sha256", text).slice(0, 16);
}

function isLabel(text: string): boolean {
  return text.endsWith(":") && text.split(" ").length <= labelWords;
}
