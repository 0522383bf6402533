import { Command } from "commander";

/** Commands by name; the code of one is loaded when it is called. */
type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** `perp-conformance complete -- WORDS`: what may stand in the place of the last word, a line each; called by the scripts. */
export function completeCommand(commands: Commands): Command {
  return new Command("complete").argument("[words...]").action(async (words: string[]) => {
    process.stdout.write((await completions(words, commands)).map((word) => `${word}\n`).join(""));
  });
}

/**
 * What may stand in the place of the last word. Nothing where any file may stand, or a value that cannot be known.
 *
 * @param words the words of the line after the program's name; the last one may be empty, or the beginning of one
 * @param commands the commands by name
 */
export async function completions(words: readonly string[], commands: Commands): Promise<string[]> {
  const [name = "", ...rest] = words;
  const current = words.at(-1) ?? "";
  const candidates =
    rest.length === 0 ? Object.keys(commands) : await candidatesAfter(await ownOf(commands, name)?.(), rest);
  return candidates.filter((candidate) => candidate.startsWith(current));
}

async function candidatesAfter(command: Command | undefined, words: readonly string[]): Promise<readonly string[]> {
  if (command === undefined) return [];
  const current = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (current.startsWith("-"))
    return [...command.options.flatMap(({ long }) => (long ? [long] : [])), "--verbose", "--help"];
  const option = command.options.find(({ long }) => long === before);
  if (option?.required || option?.optional)
    return option.argChoices ?? (await ownOf(known, option.attributeName())?.()) ?? [];
  const [argument] = command.registeredArguments;
  return argument?.argChoices ?? (await ownOf(known, argument?.name() ?? "")?.()) ?? [];
}

/** A member by its name, which may be anything: none that every object has. */
function ownOf<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The values that are known for options and arguments, by their name. */
const known: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  rule: ruleIds,
  id: ruleIds,
  suite: async () => {
    const { loadSuites } = await import("../run/suites.js");
    const names = (await loadSuites()).map(({ title }) => title.replace(/^§\S+ /, ""));
    return names.filter((each) => !each.includes(" "));
  },
  mutant: async () => (await import("../reference/modifications.js")).mutants.map(({ name }) => name),
  variant: async () => (await import("../reference/modifications.js")).variants.map(({ name }) => name),
  reading: async () => {
    const { alternativesOf, openRulingIds } = await import("../specification/readings.js");
    return openRulingIds.flatMap((ruling) => alternativesOf(ruling).map(({ id }) => `${ruling}=${id}`));
  },
};

async function ruleIds(): Promise<readonly string[]> {
  return (await import("../specification/catalogue/index.js")).catalogue.map(({ id }) => id);
}
