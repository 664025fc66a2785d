/** Runs the command that a command line names, prints its answer, and returns the exit code: 0 done, 1 refused, 2 wrong usage. */
import { createRequire } from 'node:module'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { CallTelemetry } from './call-telemetry.ts'
import { CallWorkspaces } from './call-workspaces.ts'
import { type Answer, type Call, type Command, UsageError } from './command.ts'
import { table, type TableEntry } from './command-table.ts'
import { commandHelp, overview, tableRows } from './help.ts'
import { asksForJsonLog, logTerminal } from './log-terminal.ts'
import { nearest } from './pure/nearest.ts'
import { wrapped } from './pure/wrapped.ts'
import { indented, printError, reportedError } from './report-error.ts'
import { processTerminal, type Terminal } from './terminal.ts'
import { typed } from './typed.ts'

/** What a command takes from its surroundings: directory, environment, terminal. */
export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
  /** Ends the process, once what was printed is out. */
  end?(code: number): void
}

/**
 * Runs one command of `agentm`. Answers its exit code: 0 done, 1 refused or a check failed, 2 wrong usage.
 *
 * @example
 * ```ts
 * import { main } from '@agentm/cli'
 *
 * process.exitCode = await main(['recall', 'which port does staging use?'])
 * ```
 */
export async function main(
  argv: readonly string[],
  surroundings: Surroundings = processSurroundings(),
): Promise<0 | 1 | 2> {
  const terminal = asksForJsonLog(argv) ? logTerminal(surroundings.terminal) : surroundings.terminal
  // The process seam parses its own command line.
  if (argv[0] === 'seam') return (await import('@agentm/process-seam/command')).runSeam(argv.slice(1), terminal)
  const json = argv.includes('--json')
  try {
    const answer = await answerTo(argv, { ...surroundings, terminal })
    if (json) terminal.out(`${JSON.stringify(answer.data, undefined, 2)}\n`)
    else if (answer.exact === true) terminal.out(answer.text)
    else terminal.say(endedByNewline(wrapped(answer.text, { width: terminal.columns })))
    if (!json) for (const notice of answer.notices ?? []) printNotice(notice, terminal)
    const exit = answer.exit ?? 0
    if (answer.isLast === true) surroundings.end?.(exit)
    return exit
  } catch (error) {
    if (json) terminal.out(`${JSON.stringify({ error: reportedError(error) }, undefined, 2)}\n`)
    else if (terminal.event !== undefined)
      terminal.event({ level: 'error', event: 'command.failed', ...reportedError(error) })
    else printError(error, terminal)
    return isWrongUsage(error) ? 2 : 1
  }
}

function printNotice(notice: string, terminal: Terminal): void {
  if (terminal.event !== undefined) return terminal.event({ level: 'warn', event: 'note', message: typed(notice) })
  const text = wrapped(`note: ${indented(typed(notice))}`, { width: terminal.width, hanging: 6 })
  terminal.err(`${text.replace('note:', terminal.onErrors.dim('note:'))}\n`)
}

async function answerTo(argv: readonly string[], surroundings: Surroundings): Promise<Answer> {
  const found = findCommand(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv)
  if (found === undefined) return withoutCommand(argv, surroundings)
  const command = await found.entry.load()
  if (found.rest.includes('--help') || found.rest.includes('-h')) {
    const text = typed(commandHelp(found.entry, command, helpScreen(surroundings)))
    return { text, data: text }
  }
  const note = (text: string): void => printNotice(text, surroundings.terminal)
  const telemetry = new CallTelemetry({ env: surroundings.env, version, note })
  const workspaces = new CallWorkspaces(surroundings.cwd, command.isObserved === true ? telemetry : undefined)
  let isLast = false
  try {
    const answer = await calledRight(found.entry.name, () =>
      command.run(parseCall(found.entry.name, command, { rest: found.rest, surroundings, workspaces, telemetry })),
    )
    isLast = answer.isLast === true
    return answer
  } finally {
    // Work that missed its time limit is not waited for: the process ends.
    if (!isLast) await workspaces.close()
  }
}

/** A wrong call points to the help of its command. */
async function calledRight(name: string, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!isWrongUsage(error) || ('next' in error && error.next !== undefined)) throw error
    throw new UsageError(error.message, { next: `agentm ${name} --help`, cause: error.cause })
  }
}

/** The longest command whose words the line begins with. Options before the command are not supported. */
function findCommand(argv: readonly string[]): { entry: TableEntry; rest: readonly string[] } | undefined {
  const fits = table
    .map((entry) => ({ entry, words: entry.name.split(' ') }))
    .filter(({ words }) => words.every((word, i) => argv[i] === word))
    .toSorted((a, b) => b.words.length - a.words.length)[0]
  return fits === undefined ? undefined : { entry: fits.entry, rest: argv.slice(fits.words.length) }
}

function withoutCommand(argv: readonly string[], surroundings: Surroundings): Answer {
  const [first, ...rest] = argv.filter((word) => word !== '--json')
  if (first === '--version' || first === '-v') return { text: version(), data: { version: version() } }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const screen = helpScreen(surroundings)
    const text = typed(rest.length === 0 ? overview(screen) : partOfOverview(rest.join(' '), screen))
    return { text, data: text }
  }
  throw new UsageError(unknown(argv))
}

/** Help is also read in a pager, which does not say how wide it is. */
function helpScreen({ terminal }: Surroundings): { readonly width: number } {
  return { width: Math.max(40, terminal.columns ?? 100) }
}

function partOfOverview(words: string, screen: { readonly width: number }): string {
  const entries = table.filter(({ name }) => name.startsWith(words))
  if (entries.length === 0) throw new UsageError(`there is no command "${words}".`)
  return tableRows(entries, screen).join('\n')
}

function unknown(argv: readonly string[]): string {
  const [first = ''] = argv
  const near = table.filter(({ name }) => name.split(' ')[0] === first).map(({ name }) => `agentm ${name}`)
  if (near.length > 0) return `"${argv.join(' ')}" is not a command. There are: ${near.join(', ')}.`
  const names = table.map(({ name }) => name.split(' ')[0] ?? '')
  return `"${first}" is not a command. ${meantOr(first, names, '')}`.trimEnd()
}

/** Commands that begin with the words of this one. */
function below(name: string): string {
  const longer = table.filter((entry) => entry.name.startsWith(`${name} `)).map((entry) => `agentm ${entry.name}`)
  return longer.length === 0 ? '' : ` There are: ${longer.join(', ')}.`
}

function meantOr(word: string, known: readonly string[], otherwise: string): string {
  const meant = nearest(word, known)
  return meant === undefined ? otherwise : `Did you mean ${meant}?`
}

interface Given {
  readonly rest: readonly string[]
  readonly surroundings: Surroundings
  readonly workspaces: CallWorkspaces
  readonly telemetry: CallTelemetry
}

function parseCall(name: string, command: Command, { rest, surroundings, workspaces, telemetry }: Given): Call {
  const { cwd, env, terminal } = surroundings
  const declared = Object.entries(command.options ?? {})
  const options: ParseArgsConfig['options'] = Object.fromEntries([
    ['json', { type: 'boolean' }],
    ...declared.map(
      ([key, { value }]) => [key, { type: value === undefined ? 'boolean' : 'string', multiple: true }] as const,
    ),
  ])
  try {
    const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true, strict: true })
    const found: Readonly<Record<string, unknown>> = values
    const given = (key: string) => [found[key]].flat().filter((value) => value !== undefined)
    const texts = (key: string) => given(key).filter((value) => typeof value === 'string')
    refuseExtra(name, command, positionals)
    const log = texts('log').at(-1) ?? 'text'
    if (log !== 'json' && log !== 'text') throw new UsageError(`--log does not accept ${log}. Use text or json.`)
    return {
      args: positionals,
      has: (key) => given(key).length > 0,
      get: (key) => texts(key).at(-1),
      all: texts,
      cwd,
      env,
      workspace: async (directory = texts('cwd').at(-1)) => workspaces.workspace(directory),
      reader: async (directory = texts('cwd').at(-1)) => workspaces.reader(directory),
      telemetry,
      terminal,
      json: found['json'] === true,
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(wrongOption(error, name, command))
  }
}

/** The parser's messages are for programmers; these are for the person who typed the command. */
function wrongOption(error: unknown, name: string, { options = {} }: Command): string {
  const { message, code } = error instanceof Error && 'code' in error ? error : { message: String(error), code: '' }
  const [, flag = ''] = /'(?:-\w, )?(--?[^\s'=]+)/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const known = [...Object.keys(options), 'json', 'help'].map((option) => `--${option}`)
    return `agentm ${name} has no option ${flag}. ${meantOr(flag, known, `It takes ${known.join(', ')}.`)}`
  }
  const value = options[flag.replace(/^--/, '')]?.value
  return value === undefined ? `${flag} takes no value.` : `${flag} needs a value: ${flag} ${value}.`
}

/** `KEY [VALUE]` takes one or two; a last word with dots takes any number. */
function refuseExtra(name: string, { takes = '' }: Command, args: readonly string[]): void {
  const wanted = takes.split(' ').filter((word) => word !== '')
  const least = wanted.filter((word) => !word.startsWith('[')).length
  const most = wanted.at(-1)?.includes('...') === true ? Number.POSITIVE_INFINITY : wanted.length
  if (args.length >= least && args.length <= most) return
  throw new UsageError(
    args.length < least
      ? `agentm ${name} needs ${takes.replace(/\.+$/, ' …').replace(/(?<!…)$/, '.')}`
      : `agentm ${name} does not take "${args[most] ?? ''}".${below(name)}`,
  )
}

/** Compared by code: a command that is not in the bundle has its own copy of the class. */
function isWrongUsage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'USAGE'
}

function endedByNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function version(): string {
  const { version: text } = createRequire(import.meta.url)('../package.json') as { version: string }
  return text
}

function processSurroundings(): Surroundings {
  return { cwd: process.cwd(), env: process.env, terminal: processTerminal(), end: endAfterOutput }
}

function endAfterOutput(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
