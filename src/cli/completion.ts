import { Argument, Command } from "commander";

const name = "perp-conformance";

/**
 * Each script asks the program itself for completions, so that a script that was installed once knows the rules and options
 * of whatever version is called. The program is called as the user typed it: it need not be in the path.
 */
const scripts = {
  bash: `_perp_conformance() {
  local IFS=$'\\n' word last=-1
  local -a words found
  # Bash splits words at "=", and completes only what follows it.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if (( last >= 0 )) && [[ "$word" == "=" || "\${words[last]}" == *= ]]; then
      words[last]+="$word"
    else
      words[++last]="$word"
    fi
  done
  found=($("\${COMP_WORDS[0]}" complete -- "\${words[@]}" 2>/dev/null))
  if [[ "\${found[0]}" == values ]]; then compopt +o default 2>/dev/null; fi
  found=("\${found[@]:1}")
  found=("\${found[@]%%$'\\t'*}")
  if [[ "\${words[last]}" == *=* && "$COMP_WORDBREAKS" == *=* ]]; then
    found=("\${found[@]#"\${words[last]%=*}="}")
  fi
  COMPREPLY=("\${found[@]}")
}
complete -o default -F _perp_conformance ${name}
`,
  zsh: `#compdef ${name}
_perp_conformance() {
  local -a found entries
  local line value
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${(@)found[2,-1]}"; do
    value="\${line%%$'\\t'*}"
    if [[ "$line" == *$'\\t'* ]]; then
      entries+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    else
      entries+=("\${value//:/\\\\:}")
    fi
  done
  if [[ "\${found[1]}" == files ]]; then _files; fi
  if (( $#entries )); then _describe -t values value entries; fi
}
compdef _perp_conformance ${name}
`,
  fish: `function __perp_conformance
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if test "$found[1]" = files
    __fish_complete_path (commandline -ct)
  end
  if set -q found[2]
    printf '%s\\n' $found[2..-1]
  end
end
complete -c ${name} -f -a '(__perp_conformance)'
`,
} as const;

type Shell = keyof typeof scripts;

const help = `
Examples:
  source <(${name} completion bash)                                     in ~/.bashrc
  source <(${name} completion zsh)                                      in ~/.zshrc, after compinit
  ${name} completion fish > ~/.config/fish/completions/${name}.fish`;

/** `perp-conformance completion SHELL`: prints the script that completes commands, options, rules and servers in a shell. */
export function completionCommand(): Command {
  return new Command("completion")
    .description("Print the completion script for a shell.")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(scripts)))
    .addHelpText("after", help)
    .action((shell: Shell) => {
      process.stdout.write(scripts[shell]);
    });
}
