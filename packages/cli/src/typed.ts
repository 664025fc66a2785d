/**
 * Commands as a person can type them here. Texts name commands as `agentm …`; where `agentm` is not installed, because this
 * process was started by npx, the same command is `npx @agentm/cli …`.
 */
import { table } from './command-table.ts'
import { installedCommand, type SearchedPath } from './installed-command.ts'

/** `text` is ours: a note that mentions a command is shown as it was written. */
export function typed(text: string, here: SearchedPath = thisProcess): string {
  const word = commandWord(here)
  return word === 'agentm' ? text : text.replaceAll(command, word)
}

export function commandWord(here: SearchedPath = thisProcess): 'agentm' | 'npx @agentm/cli' {
  if (here !== thisProcess) return wordIn(here)
  return (known ??= wordIn(here))
}

function wordIn(here: SearchedPath): 'agentm' | 'npx @agentm/cli' {
  return installedCommand(here) === undefined ? 'npx @agentm/cli' : 'agentm'
}

const thisProcess: SearchedPath = { env: process.env, platform: process.platform }
/** The PATH is searched once, and only when a command is printed. */
let known: 'agentm' | 'npx @agentm/cli' | undefined

const firstWords = new Set(['help', 'seam', 'COMMAND', ...table.map(({ name }) => name.split(' ')[0] ?? '')])
// Not part of a longer name, such as @agentm/cli or a path.
const command = new RegExp(
  `(?<![\\w@/.-])agentm(?= (?:${[...firstWords].join('|')}|-{1,2}[a-z][\\w-]*|…)(?![\\w-]))`,
  'g',
)
