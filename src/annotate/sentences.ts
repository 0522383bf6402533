import type { Inline } from "./spans.js";

/** A range of a text. Its end is exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Abbreviations whose full stop does not end a sentence. */
const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|excl|no|fig|sec)|\b[A-Z])\.$/i;

/** The end of a sentence and the space after it, before something that can begin the next sentence. */
const sentenceEnd = /[.!?][)"']*\s(?=[("'\p{Lu}\d\u0001])/gu;

/** Stands for each character of code: a full stop in code ends no sentence, but a sentence can begin with code. */
const codeMark = "\u0001";

/** A sentence of fewer words, such as `Quote units.`, is joined to the one before it, without which it says nothing. */
const fewestWords = 3;

/** Splits a paragraph or cell into sentences, as ranges of its text without the whitespace between them. */
export function sentencesOf({ text, spans }: Inline): TextRange[] {
  if (text === "") return [];
  const masked = spans.map((span) => (span.code ? codeMark.repeat(span.text.length) : span.text)).join("");
  const ranges: TextRange[] = [];
  let from = 0;
  for (const match of masked.matchAll(sentenceEnd)) {
    const to = match.index + match[0].length - 1;
    if (abbreviation.test(masked.slice(from, match.index + 1))) continue;
    ranges.push({ from, to });
    from = to + 1;
  }
  return joined([...ranges, { from, to: text.length }], text);
}

function joined(ranges: readonly TextRange[], text: string): TextRange[] {
  const kept: TextRange[] = [];
  for (const range of ranges) {
    const before = kept.at(-1);
    const isShort = text.slice(range.from, range.to).split(" ").length < fewestWords;
    if (before && isShort) kept[kept.length - 1] = { from: before.from, to: range.to };
    else kept.push(range);
  }
  return kept;
}
