/** Of which moment an operation shows a value, when it is asked at a time: milliseconds since a watch began. */
export type View = (ms: number) => number;

export const live: View = (ms) => ms;

/** As a replica does that is so many milliseconds late. */
export const late =
  (lagMs: number): View =>
  (ms) =>
    ms - lagMs;

/** As a cache does that keeps answers for so many milliseconds. */
export const cached =
  (forMs: number): View =>
  (ms) =>
    ms - (((ms % forMs) + forMs) % forMs);
