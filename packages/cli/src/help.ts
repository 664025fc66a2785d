/** Help, from the same definitions the commands run from. */
import type { Command, Option } from './command.ts'
import { groups, table, type TableEntry } from './command-table.ts'
import { wrapped } from './pure/wrapped.ts'

/** Width of the screen. */
interface Screen {
  readonly width: number
}

const widestName = Math.max(...table.map(({ name }) => name.length))

export function overview({ width }: Screen): string {
  const sections = groups.map(({ title, entries }) => [title, ...tableRows(entries, { width })].join('\n'))
  return [
    'agentm: the memory and the execution record of coding agents',
    'Usage: agentm COMMAND [OPTIONS]   (every command accepts --help and --json)',
    ...sections,
    ...endings.map((text) => wrapped(text, { width })),
  ].join('\n\n')
}

const endings = [
  'Programs in other languages call agentm seam. To list its questions: agentm seam --help',
  'New here? Run agentm demo to see what agentm does, then agentm init to set it up. The full manual: agentm manual',
]

/** Commands of the table, one on each line. */
export function tableRows(entries: readonly TableEntry[], { width }: Screen): readonly string[] {
  return entries.map(({ name, summary }) => row(name, summary, { first: widestName, width }))
}

export function commandHelp(
  entry: TableEntry,
  { takes, summary, details, options = {} }: Command,
  { width }: Screen,
): string {
  const all: Readonly<Record<string, Option>> = { ...options, json: { help: 'print the answer as JSON, for programs' } }
  const flags = Object.entries(all).map(([name, { value, help }]) => ({
    flag: value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  }))
  const first = Math.min(24, Math.max(...flags.map(({ flag }) => flag.length)))
  const rows = flags.map(({ flag, help }) => row(flag, help, { first, width }))
  const usage = ['Usage: agentm', entry.name, takes, '[OPTIONS]'].filter((word) => word !== undefined).join(' ')
  return [
    wrapped(`${entry.name}: ${summary}`, { width, hanging: 2 }),
    usage,
    details === undefined ? undefined : wrapped(details, { width }),
    ['Options', ...rows].join('\n'),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

function row(name: string, text: string, { first, width }: { readonly first: number; readonly width: number }): string {
  return wrapped(`  ${name.padEnd(first)}  ${text}`, { width, hanging: first + 4 })
}
