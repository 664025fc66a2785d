/** What can complete a command line: words that are known here, or a placeholder of the command for which words have to be found. */
import type { Command } from '../command.ts'

export interface Wanted {
  /** As the help shows it, such as `PLAN`. */
  readonly placeholder: string
  /** The words of the command. */
  readonly command: string
  /** The arguments before it. */
  readonly before: readonly string[]
}

export interface KnownCommands {
  readonly names: readonly string[]
  /** The command that the line names, if it names one. */
  readonly command: { readonly name: string; readonly definition: Pick<Command, 'takes' | 'options'> } | undefined
}

export interface Completion {
  readonly words: readonly string[]
  readonly wanted?: Wanted
}

/** The last of the words is the one to complete. */
export function completionOf(typed: readonly string[], { names, command }: KnownCommands): Completion {
  const last = typed.at(-1) ?? ''
  const before = typed.slice(0, -1)
  const next = nextWords(names, before)
  if (command === undefined) return { words: next }
  const { options = {}, takes = '' } = command.definition
  const given = before.slice(command.name.split(' ').length)
  const valueOf = (word: string | undefined) => options[word?.replace(/^--/, '') ?? '']?.value
  const value = given.at(-1)?.startsWith('--') === true ? valueOf(given.at(-1)) : undefined
  if (value !== undefined) return { words: [], wanted: { placeholder: value, command: command.name, before: [] } }
  if (last.startsWith('-')) return { words: [...Object.keys(options), 'json', 'help'].map((name) => `--${name}`) }
  const args = given.filter((word, i) => !word.startsWith('--') && valueOf(given[i - 1]) === undefined)
  const placeholder = placeholderAt(takes, args.length)
  return {
    words: next,
    ...(placeholder !== undefined && { wanted: { placeholder, command: command.name, before: args } }),
  }
}

function nextWords(names: readonly string[], before: readonly string[]): readonly string[] {
  const words = names.map((name) => name.split(' ')).filter((name) => before.every((word, i) => name[i] === word))
  return [...new Set(words.flatMap((name) => name[before.length] ?? []))]
}

/** `KEY [VALUE]` takes one or two words; a last word with dots takes any number. */
function placeholderAt(takes: string, index: number): string | undefined {
  const all = takes.split(' ').filter((word) => word !== '')
  const found = all[index] ?? (all.at(-1)?.includes('...') === true ? all.at(-1) : undefined)
  return found?.replaceAll(/[[\].]/g, '')
}
