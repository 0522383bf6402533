import { html } from "../report/html.js";
import type { Statement } from "./statement.js";

const words = { PASSED: "conformant", WARNED: "conformant, with warnings", FAILED: "not conformant" } as const;
const colors = { PASSED: "#19703a", WARNED: "#8a6100", FAILED: "#b42318" } as const;

/** Approximate width of a character of 11-pixel Verdana, and the space at both ends of a text, in pixels. */
const characterWidth = 6.7;
const padding = 6;

/** The result of a statement, in words. */
export function resultInWords({ predicate }: Statement): string {
  return words[predicate.result];
}

/** Renders a statement as a badge: an SVG that loads nothing. */
export function badge(statement: Statement): string {
  const { specification, requirements } = statement.predicate.perpConformance;
  const left = `${specification.name}, requirements ${requirements.version}`;
  const right = resultInWords(statement);
  const [leftWidth, rightWidth] = [widthOf(left), widthOf(right)];
  const width = leftWidth + rightWidth;
  const title = `${left}: ${right}`;
  const text = (x: number, length: number, content: string) =>
    `<text x="${x}" y="14" textLength="${length - 2 * padding}" lengthAdjust="spacingAndGlyphs">${html(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="${html(title)}">
<title>${html(title)}</title>
<clipPath id="round"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${leftWidth}" height="20" fill="#3b4452"/>
<rect x="${leftWidth}" width="${rightWidth}" height="20" fill="${colors[statement.predicate.result]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${text(padding, leftWidth, left)}
${text(leftWidth + padding, rightWidth, right)}
</g></svg>
`;
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth) + 2 * padding;
}
