import { type Command, UsageError } from '../command.ts'

export const completion: Command = {
  takes: 'SHELL',
  summary: 'print a completion script for bash, zsh or fish',
  details:
    'The script completes commands, options, settings, hosts, and the ids and keys of your plans and notes. Add one of these lines to the ' +
    'start-up file of your shell:\nbash: eval "$(agentm completion bash)"\nzsh: eval "$(agentm completion zsh)"\nfish: agentm completion fish | source',
  async run({ args: [shell = ''] }) {
    const script = scripts[shell]
    if (script === undefined)
      throw new UsageError(`there is no completion script for "${shell}". Use bash, zsh or fish.`)
    return { text: script, exact: true, data: { shell, script } }
  },
}

/** Where nothing completes the word, the shell offers files. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_agentm() {
  local IFS=$'\\n'
  COMPREPLY=($(agentm complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _agentm agentm
`,
  zsh: `#compdef agentm
_agentm() {
  local -a found
  found=("\${(@f)$(agentm complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found[1]" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _agentm agentm
`,
  fish: `function __agentm_complete
  set -l words (commandline -opc) (commandline -ct)
  agentm complete -- $words[2..-1] 2>/dev/null
end
complete -c agentm -a '(__agentm_complete)'
`,
}
