import { type Argument, Command, type Option } from "commander";

/** Commands by name. The code of a command is loaded when it is called. */
type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** What may be typed at a position of the command line. */
export interface Completion {
  /** Whether any file may be named there. */
  readonly files: boolean;
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly value: string;
  /** A few words about it. */
  readonly description?: string;
}

/** Maximum length of a description, so that it fits on one line next to the value. */
const maxDescription = 100;

/**
 * `perp-conformance complete -- WORDS`: prints completions for the last word; called by the completion scripts. The first
 * line says whether files are allowed as well (`files`, `values`). Each other line is a value, a tab and its description.
 */
export function completeCommand(commands: Commands): Command {
  return new Command("complete").argument("[words...]").action(async (words: string[]) => {
    const { files, candidates } = await completion(words, commands);
    const lines = candidates.map(({ value, description }) => (description ? `${value}\t${description}` : value));
    process.stdout.write([files ? "files" : "values", ...lines].map((line) => `${line}\n`).join(""));
  });
}

/**
 * Completes the last word. There are no candidates if any file is allowed, or if the value cannot be known.
 *
 * @param words the words after the program's name; the last one may be empty or incomplete
 * @param commands the commands by name
 */
export async function completion(words: readonly string[], commands: Commands): Promise<Completion> {
  const [, option, begun] = /^(--[\w-]+)=(.*)$/s.exec(words.at(-1) ?? "") ?? [];
  if (option !== undefined && begun !== undefined) {
    const { files, candidates } = await completion([...words.slice(0, -1), option, begun], commands);
    return { files, candidates: candidates.map((each) => ({ ...each, value: `${option}=${each.value}` })) };
  }
  const [name = "", ...rest] = words;
  const current = words.at(-1) ?? "";
  const { files, candidates } =
    rest.length === 0 ? await commandNames(commands) : await completionAfter(await ownOf(commands, name)?.(), rest);
  return {
    files,
    candidates: candidates.filter(({ value }) => value.startsWith(current)).map(short),
  };
}

async function commandNames(commands: Commands): Promise<Completion> {
  const entries = Object.entries(commands).map(async ([value, load]) => ({
    value,
    description: (await load()).description(),
  }));
  return { files: false, candidates: await Promise.all(entries) };
}

async function completionAfter(command: Command | undefined, words: readonly string[]): Promise<Completion> {
  if (command === undefined) return { files: false, candidates: [] };
  const current = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (current.startsWith("-")) return { files: false, candidates: optionsOf(command) };
  const option = command.options.find(({ long }) => long === before);
  if (option?.required || option?.optional) return valuesOf(option, option.attributeName(), option.flags, words);
  const [argument] = command.registeredArguments;
  if (argument === undefined) return { files: false, candidates: [] };
  return valuesOf(argument, argument.name(), `<${argument.name()}>`, words);
}

function optionsOf(command: Command): Candidate[] {
  return [
    ...command.options.flatMap(({ long, description }) => (long ? [{ value: long, description }] : [])),
    { value: "--verbose", description: "when the harness breaks, say where in its code" },
    { value: "--help", description: "display help for command" },
  ];
}

async function valuesOf(
  of: Option | Argument,
  name: string,
  flags: string,
  words: readonly string[],
): Promise<Completion> {
  const choices = of.argChoices?.map((value) => ({ value }));
  return {
    files: /[<[](files?|dirs?|runs)(\.{3})?[>\]]/.test(flags),
    candidates: choices ?? (await ownOf(known, name)?.(words)) ?? [],
  };
}

function short({ value, description }: Candidate): Candidate {
  if (!description) return { value };
  const line = description.replace(/\s+/g, " ").replace(/\.$/, "");
  return {
    value,
    description: line.length > maxDescription ? `${line.slice(0, maxDescription - 3).trimEnd()}...` : line,
  };
}

/** A member by its name. The name can be anything, so inherited members do not count. */
function ownOf<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The known values of options and arguments, by name; some depend on the other words of the line. */
const known: Readonly<Record<string, (words: readonly string[]) => Promise<readonly Candidate[]>>> = {
  rule: rules,
  id: rules,
  suite: async () => {
    const { loadSuites } = await import("../session/suites.js");
    const suites = (await loadSuites()).map(({ title, checks }) => ({
      value: title.replace(/^§\S+ /, ""),
      description: `${title}, ${checks.length} checks`,
    }));
    return suites.filter(({ value }) => !value.includes(" "));
  },
  target: targets,
  notImplemented: async () => (await import("../specification/endpoints.js")).endpointNames.map((value) => ({ value })),
  mutant: async () => servers((await import("../reference/modifications.js")).mutants),
  variant: async () => servers((await import("../reference/modifications.js")).variants),
  reading: async () => {
    const { alternativesOf, openRulingIds } = await import("../specification/readings.js");
    return openRulingIds.flatMap((ruling) =>
      alternativesOf(ruling).map(({ id, reading }) => ({ value: `${ruling}=${id}`, description: reading })),
    );
  },
};

function servers(modifications: readonly { readonly name: string; readonly summary: string }[]): Candidate[] {
  return modifications.map(({ name, summary }) => ({ value: name, description: summary }));
}

/** The targets of the configuration file; none if it cannot be read, which a run would say. */
async function targets(words: readonly string[]): Promise<readonly Candidate[]> {
  const { resolveTargets } = await import("../config/config.js");
  const at = words.indexOf("--config");
  const config = at === -1 ? undefined : words[at + 1];
  try {
    return resolveTargets({ flags: config === undefined ? {} : { config } }).flatMap(({ name, settings }) =>
      name === undefined ? [] : [{ value: name, description: settings.target.baseUrl ?? "" }],
    );
  } catch {
    return [];
  }
}

async function rules(): Promise<readonly Candidate[]> {
  const { catalogue } = await import("../specification/catalogue/index.js");
  return catalogue.map(({ id, statement }) => ({ value: id, description: statement }));
}
