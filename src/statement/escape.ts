import { inert } from "../report/inert.js";

/** A text for HTML, SVG or an attribute of either: it shows as it is, and does nothing. */
export function xml(text: string): string {
  return inert(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
