import type { Token } from "markdown-it";

/** A piece of text with one formatting. */
export interface Span {
  readonly text: string;
  readonly code: boolean;
  readonly strong: boolean;
  readonly emphasis: boolean;
  /** The address that it links to, if it is part of a link. */
  readonly href?: string;
}

/** The text of one paragraph, heading or cell, with its formatting. */
export interface Inline {
  /** All spans joined: one line, with collapsed whitespace and plain quotation marks and dashes. */
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Typographic characters that editors insert, with plain replacements of the same length. */
const plainCharacters: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2212": "-",
};

/** The text of a Markdown inline token. Images become their descriptions, so that nothing is loaded. */
export function inlineOf(token: Token): Inline {
  const spans: Span[] = [];
  let strong = 0;
  let emphasis = 0;
  let href: string | undefined;
  const add = (text: string, code = false) => {
    if (text === "") return;
    spans.push({
      text,
      code,
      strong: strong > 0,
      emphasis: emphasis > 0,
      ...(href !== undefined && { href }),
    });
  };
  for (const child of token.children ?? []) {
    if (child.type === "strong_open") strong++;
    else if (child.type === "strong_close") strong--;
    else if (child.type === "em_open") emphasis++;
    else if (child.type === "em_close") emphasis--;
    else if (child.type === "link_open") href = String(child.attrGet("href") ?? "");
    else if (child.type === "link_close") href = undefined;
    else if (child.type === "softbreak" || child.type === "hardbreak") add(" ");
    else add(child.content, child.type === "code_inline");
  }
  return collapsed(spans);
}

function collapsed(spans: readonly Span[]): Inline {
  const kept: Span[] = [];
  let afterBlank = true;
  for (const span of spans) {
    let text = "";
    for (const character of span.text) {
      const plain = plainCharacters[character] ?? character;
      const blank = /\s/.test(plain);
      if (!(blank && afterBlank)) text += blank ? " " : plain;
      afterBlank = blank;
    }
    if (text !== "") kept.push({ ...span, text });
  }
  const last = kept.at(-1);
  if (last?.text.endsWith(" ")) kept[kept.length - 1] = { ...last, text: last.text.slice(0, -1) };
  const shown = kept.filter(({ text }) => text !== "");
  return { spans: shown, text: shown.map(({ text }) => text).join("") };
}
