import { type Section, sectionNames, sections } from "../specification/sections.js";

/** Text before the first heading is about the whole document, as the first section is. */
const opening: Section = "§1";

/**
 * The section that a heading opens, as the catalogue names it: `4.1 GetAllPositions` opens §4.1, and `Position` within
 * section 2 opens `§2 Position`. A heading in a chapter for which the catalogue has no section opens one of that name. A
 * heading within a smaller section opens none, and neither does the title of the document.
 *
 * @param within the section that contains the heading
 */
export function sectionOfHeading(heading: string, within: string | undefined): string {
  const numbered = /^§?\s*(\d+(?:\.\d+)*)[.)]?(?:\s|$)/.exec(heading);
  if (numbered) return `§${numbered[1]}`;
  const chapter = within === undefined ? undefined : /^§\d+/.exec(within)?.[0];
  if (chapter === undefined) return within ?? opening;
  const title = heading.replace(/\s*\([^()]*\)$/, "");
  const known = sectionNames.find(
    (name) => name.startsWith(`${chapter} `) && [name.slice(chapter.length + 1), sections[name]].includes(title),
  );
  return known ?? (within === chapter ? `${chapter} ${title}` : (within ?? opening));
}
