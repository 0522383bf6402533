/**
 * Which checks a run makes: `quick` is the default; `full` adds what takes about a minute to see and larger samples,
 * and is the certification profile.
 */
export type Profile = "quick" | "full";

/** Both profiles, the smaller one first. */
export const profiles = ["quick", "full"] as const satisfies readonly Profile[];

/**
 * Answers up to so many bytes are read and judged whole. Of larger ones a sample of the rows is read, by which the rules are
 * judged that hold for any rows of an answer. Judging whole takes some twelve times the memory of the answer: where
 * a wallet has 200,000 orders (113 MB), a quick run takes 530 MB and a full one 1.6 GB.
 */
export const readWhole: Readonly<Record<Profile, number>> = { quick: 8 * 1024 * 1024, full: 128 * 1024 * 1024 };

/**
 * And up to so many rows, in all arrays of an answer together: what a row takes to be judged is hundreds of bytes, also when
 * it is `{}`.
 */
export const rowsWhole: Readonly<Record<Profile, number>> = { quick: 50_000, full: 500_000 };

/** What the full profile reads whole, in words. */
export const wholeInFull = `${readWhole.full / 1024 / 1024} MB and ${rowsWhole.full.toLocaleString("en-US")} rows whole`;

/**
 * The largest body that a run records, in bytes: an answer that is read whole, a sample of a larger one, or one message of a
 * stream; with room for what blanking secrets adds.
 */
export const largestBody: Readonly<Record<Profile, number>> = { quick: 24 * 1024 * 1024, full: 160 * 1024 * 1024 };

/** Whether a run in `profile` makes what `least` asks for. */
export function includes(profile: Profile, least: Profile): boolean {
  return profile === "full" || least === "quick";
}
