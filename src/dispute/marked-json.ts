import { type Edit, findNodeAtLocation, format, type Node, type ParseError, parseTree } from "jsonc-parser";
import { countOf } from "../judge/judgement.js";
import { html } from "../report/html.js";

/** Maximum length of a text that is pretty-printed. Longer texts are in the evidence as they came. */
const maxPretty = 2_000_000;

/** Maximum lines shown around a mark of a long text, and of a text without marks. */
const linesAround = 10;
const maxLines = 60;

/** Maximum characters shown of a line. */
const maxLine = 2_000;

/**
 * Maximum length of a value that is marked as a whole. Of a longer one only the first line is, with its name; nothing, if it is
 * marked because a place within it does not exist.
 */
const maxMarked = 4_000;

/** Pretty-prints a JSON text, with each token as it was sent; undefined if it is not JSON, or too long. */
export function prettyPrinted(text: string): string | undefined {
  if (text.length > maxPretty || treeOf(text) === undefined) return undefined;
  return withEdits(text, format(text, undefined, { tabSize: 2, insertSpaces: true, eol: "\n" }));
}

/** Applies edits to a text, in their order. The library applies them one by one, and copies the whole text for each. */
function withEdits(text: string, edits: readonly Edit[]): string {
  let at = 0;
  const pieces = edits.flatMap(({ offset, length, content }) => {
    const kept = text.slice(at, offset);
    at = offset + length;
    return [kept, content];
  });
  return [...pieces, text.slice(at)].join("");
}

/**
 * Renders a JSON text as HTML for a `<pre>`: pretty-printed, with the values at some places marked. Of a long text, only the
 * lines around the marks are shown. Text that is not JSON is shown as it is.
 *
 * @param pointers places, as JSON pointers (RFC 6901); if a place does not exist, what surrounds it is marked
 */
export function markedJson(text: string, pointers: readonly string[] = []): string {
  const pretty = prettyPrinted(text);
  const shown = pretty ?? text.slice(0, maxPretty);
  const tree = pretty === undefined ? undefined : treeOf(pretty);
  const marks = tree === undefined ? [] : pointers.flatMap((pointer) => markAt(shown, tree, pointer) ?? []);
  return linesOf(shown, marks);
}

function treeOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  return errors.length > 0 ? undefined : tree;
}

/** A marked range: from one character up to, but not including, another. */
type Mark = readonly [from: number, to: number];

function markAt(text: string, tree: Node, pointer: string): [Mark] | undefined {
  const segments = segmentsOf(pointer);
  for (let depth = segments.length; depth > 0; depth--) {
    const node = findNodeAtLocation(tree, segments.slice(0, depth));
    if (!node) continue;
    // A member is marked together with its name.
    const { offset, length } = node.parent?.type === "property" ? node.parent : node;
    if (length <= maxMarked) return [[offset, offset + length]];
    const firstLine = text.slice(offset, offset + length).split("\n", 1)[0] ?? "";
    return depth === segments.length ? [[offset, offset + firstLine.length]] : undefined;
  }
  return undefined;
}

function segmentsOf(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
}

/** The lines of a text, without those far from all marks. */
function linesOf(text: string, marks: readonly Mark[]): string {
  let offset = 0;
  const lines = text.split("\n").map((line) => {
    const from = offset;
    offset += line.length + 1;
    const within = marks
      .filter(([start, end]) => start < from + line.length && end > from)
      .map(([start, end]): Mark => [Math.max(0, start - from), Math.min(line.length, end - from)]);
    return { line, within };
  });
  const marked = lines.flatMap(({ within }, index) => (within.length > 0 ? [index] : []));
  const isNear = (index: number) =>
    lines.length <= maxLines ||
    (marked.length === 0
      ? index < maxLines
      : marked.some((mark) => Math.abs(mark - index) <= linesAround) || index < 2);
  const shown: string[] = [];
  let left = 0;
  const tellLeft = () => {
    if (left > 0) shown.push(`… ${countOf(left, "more line")}`);
    left = 0;
  };
  for (const [index, { line, within }] of lines.entries()) {
    if (!isNear(index)) {
      left++;
      continue;
    }
    tellLeft();
    shown.push(markedLine(line, within));
  }
  tellLeft();
  return shown.join("\n");
}

function markedLine(line: string, marks: readonly Mark[]): string {
  const [first] = marks;
  if (first === undefined) return html(line.slice(0, maxLine)) + (line.length > maxLine ? " …" : "");
  // Indentation is not marked.
  const start = Math.max(first[0], line.length - line.trimStart().length);
  const end = Math.max(...marks.map(([, to]) => to));
  const content = line.slice(start, Math.min(end, start + maxLine));
  return `${html(line.slice(0, start).slice(-maxLine))}<mark>${html(content)}</mark>${html(line.slice(end, end + maxLine))}`;
}
