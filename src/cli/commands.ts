import type { Command } from "commander";

/** The commands by name, in the order in which a user needs them. The code of a command is loaded when it is called. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import("./init.js")).initCommand(),
  run: async () => (await import("./run.js")).runCommand(),
  merge: async () => (await import("./merge.js")).mergeCommand(),
  rules: async () => (await import("./rules.js")).rulesCommand(),
  explain: async () => (await import("./explain.js")).explainCommand(),
  power: async () => (await import("./power.js")).powerCommand(),
  compare: async () => (await import("./compare.js")).compareCommand(),
  annotate: async () => (await import("./annotate.js")).annotateCommand(),
  rejudge: async () => (await import("./rejudge.js")).rejudgeCommand(),
  reproduce: async () => (await import("./reproduce.js")).reproduceCommand(),
  statement: async () => (await import("./statement.js")).statementCommand(),
  verify: async () => (await import("./verify.js")).verifyCommand(),
  keygen: async () => (await import("./keygen.js")).keygenCommand(),
  serve: async () => (await import("./serve.js")).serveCommand(),
  prove: async () => (await import("./prove.js")).proveCommand(),
  completion: async () => (await import("./completion.js")).completionCommand(),
};

/** Commands that only scripts call. They are not listed in the help. */
export const hiddenCommands: typeof commands = {
  complete: async () => (await import("./complete.js")).completeCommand(commands),
};
