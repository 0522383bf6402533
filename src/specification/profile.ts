/**
 * Which checks a run makes. `quick` is the default. `full`, the certification profile, adds larger samples and checks that
 * have to watch for about a minute.
 */
export type Profile = "quick" | "full";

/** Both profiles, the smaller one first. */
export const profiles = ["quick", "full"] as const satisfies readonly Profile[];

/**
 * Largest response that is read and judged whole, in bytes. Of larger ones only a sample of the rows is kept, and only rules
 * that hold for any subset of rows are judged. Judging a whole response takes about twelve times its size in memory: for a
 * wallet with 200,000 orders (113 MB), a quick run takes 530 MB and a full one 1.6 GB.
 */
export const readWhole: Readonly<Record<Profile, number>> = { quick: 8 * 1024 * 1024, full: 128 * 1024 * 1024 };

/**
 * Maximum number of rows, in all arrays together, of a response that is judged whole: judging a row takes hundreds of bytes
 * even if it is `{}`.
 */
export const rowsWhole: Readonly<Record<Profile, number>> = { quick: 50_000, full: 500_000 };

/** The limits of the full profile for reading a response whole, in words. */
export const wholeInFull = `${readWhole.full / 1024 / 1024} MB and ${rowsWhole.full.toLocaleString("en-US")} rows whole`;

/**
 * Largest body that a run records, in bytes: a whole response, a sample of a larger one, or one message of a stream.
 * Includes room for what redaction adds.
 */
export const largestBody: Readonly<Record<Profile, number>> = { quick: 24 * 1024 * 1024, full: 160 * 1024 * 1024 };

/** Whether a run with `profile` includes checks that need at least the profile `least`. */
export function covers(profile: Profile, least: Profile): boolean {
  return profile === "full" || least === "quick";
}
