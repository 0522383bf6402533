import { Argument, Command } from "commander";
import { commands } from "./commands.js";

const NAME = "perp-conformance";

/**
 * Each asks the program itself what may come next, so that a script that was installed once knows the rules and options of
 * whatever version is called. The program is called as the line calls it: it need not be in the path.
 */
const scripts = {
  bash: `_perp_conformance() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _perp_conformance ${NAME}
`,
  zsh: `#compdef ${NAME}
_perp_conformance() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _perp_conformance ${NAME}
`,
  fish: `function __perp_conformance
  set -l words (commandline -opc) (commandline -ct)
  $words[1] complete -- $words[2..-1] 2>/dev/null
end
complete -c ${NAME} -a '(__perp_conformance)'
`,
} as const;

type Shell = keyof typeof scripts;

const help = `
Examples:
  source <(${NAME} completion bash)                                     in ~/.bashrc
  source <(${NAME} completion zsh)                                      in ~/.zshrc, after compinit
  ${NAME} completion fish > ~/.config/fish/completions/${NAME}.fish`;

/** `perp-conformance completion SHELL`: the script that makes a shell complete commands, options, rules and servers. */
export function completionCommand(): Command {
  return new Command("completion")
    .description("Print the completion script for a shell.")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(scripts)))
    .addHelpText("after", help)
    .action((shell: Shell) => {
      process.stdout.write(scripts[shell]);
    });
}

/** `perp-conformance complete -- WORDS`: what may stand in the place of the last word, a line each; called by the scripts. */
export function completeCommand(): Command {
  return new Command("complete").argument("[words...]").action(async (words: string[]) => {
    process.stdout.write((await completions(words)).map((word) => `${word}\n`).join(""));
  });
}

/**
 * What may stand in the place of the last word. Nothing where any file may stand, or a value that cannot be known.
 *
 * @param words the words of the line after the program's name; the last one may be empty, or the beginning of one
 */
export async function completions(words: readonly string[]): Promise<string[]> {
  const [name = "", ...rest] = words;
  const current = words.at(-1) ?? "";
  const candidates = rest.length === 0 ? Object.keys(commands) : await candidatesAfter(name, rest);
  return candidates.filter((candidate) => candidate.startsWith(current));
}

async function candidatesAfter(name: string, words: readonly string[]): Promise<readonly string[]> {
  const command = await ownOf(commands, name)?.();
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
  mutant: async () => (await import("../reference/departures.js")).mutants.map(({ name }) => name),
  variant: async () => (await import("../reference/departures.js")).variants.map(({ name }) => name),
  reading: async () => {
    const { alternativesOf, openRulingIds } = await import("../spec/readings.js");
    return openRulingIds.flatMap((ruling) => alternativesOf(ruling).map(({ id }) => `${ruling}=${id}`));
  },
};

async function ruleIds(): Promise<readonly string[]> {
  return (await import("../spec/catalogue/index.js")).catalogue.map(({ id }) => id);
}
