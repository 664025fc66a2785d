/** Help, from the same definitions the commands run from. */
import type { Command, Option } from './command.ts'
import { groups, type TableEntry } from './command-table.ts'

export function overview(): string {
  const sections = groups.map(({ title, entries }) => {
    const rows = entries.map(({ name, summary }) => `  ${name.padEnd(20)} ${summary}`)
    return [title, ...rows].join('\n')
  })
  return [
    'agentm: the memory and the execution record of coding agents',
    'Usage: agentm COMMAND [OPTIONS]   (every command takes --help and --json)',
    ...sections,
    'agentm seam …      answers other programs; agentm seam --help lists its questions.',
    'New here? agentm demo shows it; agentm init, then agentm doctor, sets it up. Everything about every command: agentm manual.',
  ].join('\n\n')
}

export function commandHelp(entry: TableEntry, { takes, summary, details, options = {} }: Command): string {
  const all: Readonly<Record<string, Option>> = { ...options, json: { help: 'print data for programs' } }
  const rows = Object.entries(all).map(([name, { value, help }]) => {
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`
    return `  ${flag.padEnd(24)} ${help}`
  })
  const usage = ['Usage: agentm', entry.name, takes, '[OPTIONS]'].filter((word) => word !== undefined).join(' ')
  return [`${entry.name}: ${summary}`, usage, details, ['Options', ...rows].join('\n')]
    .filter((part) => part !== undefined)
    .join('\n\n')
}
