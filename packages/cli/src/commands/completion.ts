import { type Setting, settings } from '@agentm/settings'
import { type Command, UsageError } from '../command.ts'
import { table } from '../command-table.ts'

export const completion: Command = {
  takes: 'SHELL',
  summary: 'print a completion script for bash, zsh or fish',
  details:
    'bash: eval "$(agentm completion bash)"   zsh: eval "$(agentm completion zsh)"\nfish: agentm completion fish | source',
  async run({ args: [shell = ''] }) {
    const script = scripts[shell]
    if (script === undefined)
      throw new UsageError(`there is no completion script for "${shell}". Use bash, zsh or fish.`)
    const text = script()
    return { text, data: { shell, script: text } }
  },
}

const names = () => [...table.map(({ name }) => name), 'seam recall-here', 'seam state-path', 'seam offer-save-here']
const firstWords = () => [...new Set(names().map((name) => name.split(' ')[0] ?? ''))]
const secondWords = (first: string) =>
  names()
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.split(' ')[1] ?? '')

const keyed = ['get', 'set', 'unset', 'keys']
const keys = () => Object.keys(settings).join(' ')
/** What a setting may be, where there are few choices. */
const choices = () =>
  Object.entries<Setting<unknown>>(settings).flatMap(([key, { choices: few }]) =>
    few === undefined ? [] : [[key, few.join(' ')] as const],
  )

const scripts: Readonly<Record<string, () => string>> = {
  bash: () => `_agentm() {
  local words
  case "$COMP_CWORD:\${COMP_WORDS[*]:1:3}" in
    "3:config "@(${keyed.join('|')})*) words="${keys()}" ;;
${choices()
  .map(([key, few]) => `    "4:config set ${key}") words="${few}" ;;`)
  .join('\n')}
    1:*) words="${firstWords().join(' ')}" ;;
${cases((first) => `    "2:${first}"*) words="${secondWords(first).join(' ')}" ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _agentm agentm
`,
  zsh: () => `#compdef agentm
_agentm() {
  case "$CURRENT:\${words[2,4]}" in
    "4:config "(${keyed.join('|')})*) compadd ${keys()} ;;
${choices()
  .map(([key, few]) => `    "5:config set ${key}") compadd ${few} ;;`)
  .join('\n')}
    2:*) compadd ${firstWords().join(' ')} ;;
${cases((first) => `    "3:${first}"*) compadd ${secondWords(first).join(' ')} ;;`)}
    *) _files ;;
  esac
}
compdef _agentm agentm
`,
  fish: () =>
    [
      `complete -c agentm -n '__fish_use_subcommand' -a '${firstWords().join(' ')}'`,
      ...firstWords()
        .filter((first) => secondWords(first).length > 0)
        .map(
          (first) =>
            `complete -c agentm -n '__fish_seen_subcommand_from ${first}' -a '${secondWords(first).join(' ')}'`,
        ),
      `complete -c agentm -n '__fish_seen_subcommand_from config; and __fish_seen_subcommand_from ${keyed.join(' ')}' -a '${keys()}'`,
      '',
    ].join('\n'),
}

function cases(line: (first: string) => string): string {
  return firstWords()
    .filter((first) => secondWords(first).length > 0)
    .map(line)
    .join('\n')
}
