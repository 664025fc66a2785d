/** Every command with all its options, from the definitions that run, as Markdown: for a pager, and for docs/reference/commands.md. */
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { atomicWrite, filePath } from '@agentm/vault-lock'
import { groups, table, type TableEntry } from '../command-table.ts'
import type { Answer, Command, Option } from '../command.ts'
import { fileName, manOverview, manPage } from '../pure/man-page.ts'

export const manual: Command = {
  summary: 'print the full manual of every command',
  details:
    'The manual is Markdown. To read it page by page: agentm manual | less\n--man writes a manual page for every command instead, which man(1) shows: agentm manual --man DIR && man -l DIR/agentm.1',
  options: { man: { value: 'DIR', help: 'write manual pages for man(1) into this directory instead' } },
  async run(call) {
    const directory = call.get('man')
    if (directory !== undefined) return writeManPages(path.resolve(call.cwd, directory))
    const parts = await Promise.all(
      groups.map(async ({ title, entries }) => [`## ${title}`, ...(await pages(entries))]),
    )
    const text = [preface, ...parts.flat()].join('\n\n')
    return { text, data: text }
  },
}

async function writeManPages(directory: string): Promise<Answer> {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  const commands = await Promise.all(
    table.map(async (entry) => ({ name: entry.name, version, command: await entry.load() })),
  )
  await mkdir(directory, { recursive: true })
  const pagesByName = new Map(commands.map((each) => [fileName(each.name), manPage(each)]))
  pagesByName.set('agentm', manOverview({ version, commands }))
  for (const [name, text] of pagesByName) await atomicWrite(filePath(path.join(directory, `${name}.1`)), text)
  return {
    text: `${pagesByName.size} manual pages were written to ${directory}.`,
    data: { directory, pages: [...pagesByName.keys()] },
  }
}

async function pages(entries: readonly TableEntry[]): Promise<readonly string[]> {
  return Promise.all(entries.map(async (entry) => page(entry, await entry.load())))
}

function page({ name }: TableEntry, { takes, summary, details, options = {} }: Command): string {
  const usage = ['agentm', name, takes, Object.keys(options).length === 0 ? undefined : '[OPTIONS]']
  const rows = Object.entries(options).map(([option, one]) => `- \`${spelled(option, one)}\`: ${one.help}`)
  return [
    `### agentm ${name}`,
    `    ${usage.filter((word) => word !== undefined).join(' ')}`,
    [capitalised(summary), details].filter((part) => part !== undefined).join('\n\n'),
    ...(rows.length === 0 ? [] : [rows.join('\n')]),
  ].join('\n\n')
}

function spelled(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

function capitalised(text: string): string {
  const sentence = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

const preface = `# agentm

The memory and the execution record of coding agents. If \`agentm\` is not installed, type \`npx @agentm/cli\` in its place. Every
command accepts \`--help\`, and \`--json\` for programs. The exit code is 0 when the command succeeded, 1 when it was refused or a
check failed, and 2 when it was called wrongly. What each error means:
https://agentm.github.io/agentm/reference/errors`
