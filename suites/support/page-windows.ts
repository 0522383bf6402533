/** The pages in which a listing is read whole (§2 PaginationInfo, P3). */
import type { Answer } from "../../src/engine/answer.js";
import { pageLimitMax } from "../../src/specification/limits.js";

/** Rows of the small page across the end of a full one, half of them on either side. */
const rowsAcross = 60;

/** The limit and offset of a page. */
export interface PageWindow {
  readonly limit: number;
  readonly offset: number;
}

/**
 * The pages that the first rows of a listing are read in: full ones, as clients ask for them, and small ones across their
 * ends, so that a row pushed down in the meantime is not missed. Of three full pages or more, the last one asks for fewer.
 */
export function pagesThrough(rows: number, seed: number): readonly PageWindow[] {
  const further = Math.max(0, Math.ceil(rows / pageLimitMax) - 1);
  const fewer = pageLimitMax - 1 - (seed % rowsAcross);
  const windows = Array.from({ length: further }, (_, before): readonly PageWindow[] => {
    const offset = (before + 1) * pageLimitMax;
    const isLast = before > 0 && before === further - 1;
    return [pageAcross(offset), { limit: isLast ? fewer : pageLimitMax, offset }];
  });
  return [{ limit: pageLimitMax, offset: 0 }, ...windows.flat()];
}

/** The small page across the end of a full one. */
const pageAcross = (end: number): PageWindow => ({ limit: rowsAcross, offset: end - rowsAcross / 2 });

/** The page of a listing read whole that begins before an offset and ends after it. */
export function pageBefore(offset: number): PageWindow {
  if (offset > 0 && offset % pageLimitMax === 0) return pageAcross(offset);
  return { limit: pageLimitMax, offset: offset - (offset % pageLimitMax) };
}

/** A page that was read, and the answer that shows it. */
export interface PageRead extends PageWindow {
  readonly answer: Answer;
}

/** Reads pages from the last one to the first. Returns them in page order. */
export async function readBackwards(
  windows: readonly PageWindow[],
  read: (window: PageWindow) => Promise<Answer>,
): Promise<readonly PageRead[]> {
  const pages: PageRead[] = [];
  for (const window of windows.toReversed()) pages.unshift({ ...window, answer: await read(window) });
  return pages;
}
