import type { Inline } from "./spans.js";

/** A part of a text, from its first character to the one after its last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Abbreviations that end in a full stop and no sentence. */
const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|excl|no|fig|sec)|\b[A-Z])\.$/i;

/** What ends a sentence, with the blank after it, before what can begin the next one. */
const sentenceEnd = /[.!?][)"']*\s(?=[("'\p{Lu}\d\u0001])/gu;

/** Stands for each character of code: a full stop in it ends nothing, and a sentence can begin with it. */
const CODE = "\u0001";

/** A sentence of fewer words, such as `Quote units.`, says something only together with the one before it. */
const FEWEST_WORDS = 3;

/** The sentences of a paragraph or cell, as ranges of its text, without the blanks between them. */
export function sentencesOf({ text, spans }: Inline): Range[] {
  if (text === "") return [];
  const masked = spans.map((span) => (span.code ? CODE.repeat(span.text.length) : span.text)).join("");
  const ranges: Range[] = [];
  let from = 0;
  for (const match of masked.matchAll(sentenceEnd)) {
    const to = match.index + match[0].length - 1;
    if (abbreviation.test(masked.slice(from, match.index + 1))) continue;
    ranges.push({ from, to });
    from = to + 1;
  }
  return joined([...ranges, { from, to: text.length }], text);
}

function joined(ranges: readonly Range[], text: string): Range[] {
  const kept: Range[] = [];
  for (const range of ranges) {
    const before = kept.at(-1);
    const isShort = text.slice(range.from, range.to).split(" ").length < FEWEST_WORDS;
    if (before && isShort) kept[kept.length - 1] = { from: before.from, to: range.to };
    else kept.push(range);
  }
  return kept;
}
