/**
 * Which checks a run makes: `quick` is the default; `full` adds what takes about a minute to see and larger samples,
 * and is the certification profile.
 */
export type Profile = "quick" | "full";

/** Both profiles, the smaller one first. */
export const profiles = ["quick", "full"] as const satisfies readonly Profile[];

/** Whether a run in `profile` makes what `least` asks for. */
export function includes(profile: Profile, least: Profile): boolean {
  return profile === "full" || least === "quick";
}
