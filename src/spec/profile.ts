/**
 * Which checks a run makes: `quick` is the default; `full` adds what takes about a minute to see and larger samples,
 * and is the certification profile.
 */
export type Profile = "quick" | "full";

/** Both profiles, the smaller one first. */
export const profiles = ["quick", "full"] as const satisfies readonly Profile[];

/**
 * Answers up to so many bytes are read and judged whole. Of larger ones a sample of the rows is read, by which the rules are
 * judged that hold for any rows of an answer.
 */
export const readWhole: Readonly<Record<Profile, number>> = { quick: 32 * 1024 * 1024, full: 256 * 1024 * 1024 };

/** Whether a run in `profile` makes what `least` asks for. */
export function includes(profile: Profile, least: Profile): boolean {
  return profile === "full" || least === "quick";
}
