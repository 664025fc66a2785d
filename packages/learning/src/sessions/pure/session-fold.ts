/**
 * Folds the entries of one agent session into turns. The state is plain JSON, so that another process continues where this one
 * stopped, and it is bounded, however long the session is.
 */
import type { ToolUse, TranscriptEvent, TranscriptHost } from '@agentm/transcripts'
import { decisionsIn } from './decisions-in.ts'
import { excerpt, tellingLine } from './excerpt.ts'
import { fixingEdit } from './fixing-edit.ts'

export interface FoldedTurn {
  /** The host's id of the prompt. Copies of a session keep it. */
  readonly prompt?: string
  readonly turn: number
  /** The directory that the agent worked in. It is used to find the project, and not kept in the log. */
  readonly cwd?: string
  readonly branch?: string
  readonly model?: string
  readonly first: number
  readonly last: number
  readonly startedAt?: number
  readonly endedAt?: number
  /** The sub-agent that worked, and the task that another agent gave it. */
  readonly agent?: string
  readonly task?: string
  readonly asked: string
  readonly done?: string
  readonly files: Readonly<Record<string, 'read' | 'write'>>
  readonly commands: readonly FoldedCommand[]
  readonly fixes: readonly Fix[]
  readonly decisions: readonly Decision[]
  readonly open: readonly string[]
  readonly errors: readonly string[]
  readonly input: number
  readonly output: number
  readonly unknown: number
}

export interface FoldedCommand {
  readonly command: string
  readonly exitCode?: number
  readonly failed: boolean
  readonly record: number
  readonly error?: string
}

interface Fix {
  readonly command: string
  readonly error: string
  readonly by: readonly string[]
  readonly record: number
}

interface Decision {
  readonly text: string
  readonly by: 'person' | 'agent'
  readonly record: number
}

/** A command that failed and was not yet seen to pass, and what was done since. */
interface Failing {
  readonly command: string
  readonly error: string
  readonly by: readonly string[]
}

export interface SessionFold {
  readonly host?: TranscriptHost
  readonly session?: string
  readonly cwd?: string
  readonly branch?: string
  readonly model?: string
  /** How many turns have begun. */
  readonly turns: number
  readonly current?: FoldedTurn
  /** The calls whose results are awaited. */
  readonly calls: Readonly<Record<string, { readonly command: string } | { readonly tool: string }>>
  readonly failing: readonly Failing[]
  readonly open: readonly string[]
  /** Records that could not be read before the first turn. */
  readonly unknown: number
}

export const emptyFold: SessionFold = { turns: 0, calls: {}, failing: [], open: [], unknown: 0 }

const mostFiles = 60
const mostCommands = 40
const mostCalls = 100
const mostFailing = 10
const mostErrors = 5
const mostOpen = 20
const mostBy = 8
const mostDone = 600
const mostCommand = 300

/** The state after one entry. `ended` is the turn that a new prompt ended. */
export function folded(
  fold: SessionFold,
  event: TranscriptEvent,
): { readonly fold: SessionFold; readonly ended?: FoldedTurn } {
  const known = { ...fold, host: event.host, session: fold.session ?? event.session }
  if (event.type === 'prompt') return begun(known, event)
  if (event.type === 'session') return { fold: moved(known, event) }
  // A sub-agent with a file of its own. Its first entry is a task from another agent, and not what a person asked.
  if (event.type === 'context' && event.agent !== undefined && known.turns === 0) return begun(known, event)
  const { current } = known
  if (current === undefined) {
    const unknown = known.unknown + (event.type === 'unknown' ? 1 : 0)
    return { fold: { ...known, unknown } }
  }
  const reached = {
    ...current,
    last: Math.max(current.last, event.record),
    ...(event.at === undefined ? {} : { endedAt: event.at }),
  }
  return { fold: added({ ...known, current: reached }, reached, event) }
}

type EventOf<T extends TranscriptEvent['type']> = Extract<TranscriptEvent, { readonly type: T }>

function moved(fold: SessionFold, { cwd, branch }: EventOf<'session'>): SessionFold {
  return {
    ...fold,
    ...(cwd === undefined ? {} : { cwd }),
    ...(branch === undefined ? {} : { branch }),
  }
}

function begun(
  fold: SessionFold,
  event: EventOf<'prompt' | 'context'>,
): { readonly fold: SessionFold; readonly ended?: FoldedTurn } {
  const turn = fold.turns + 1
  const current: FoldedTurn = {
    turn,
    ...(event.type === 'prompt' && event.id !== undefined ? { prompt: event.id } : {}),
    ...(fold.cwd === undefined ? {} : { cwd: fold.cwd }),
    ...(fold.branch === undefined ? {} : { branch: fold.branch }),
    ...(fold.model === undefined ? {} : { model: fold.model }),
    first: event.record,
    last: event.record,
    ...(event.at === undefined ? {} : { startedAt: event.at, endedAt: event.at }),
    ...(event.type === 'context' ? { agent: event.agent ?? '', task: excerpt(event.text) } : {}),
    asked: event.type === 'prompt' ? excerpt(event.text) : '',
    files: {},
    commands: [],
    fixes: [],
    decisions: event.type === 'prompt' ? decisionsOf(event.text, 'person', event.record) : [],
    open: fold.open,
    errors: [],
    input: 0,
    output: 0,
    unknown: fold.unknown,
  }
  const next = { ...fold, turns: turn, current, unknown: 0 }
  return fold.current === undefined ? { fold: next } : { fold: next, ended: fold.current }
}

function added(fold: SessionFold, current: FoldedTurn, event: TranscriptEvent): SessionFold {
  switch (event.type) {
    case 'reply':
      return event.agent === current.agent ? replied(fold, current, event) : fold
    case 'call':
      return called(fold, current, event)
    case 'result':
      return answered(fold, current, event)
    case 'error':
      return {
        ...fold,
        current: { ...current, errors: [...current.errors, excerpt(event.text, mostCommand)].slice(-mostErrors) },
      }
    case 'usage': {
      const model = event.model ?? current.model
      const input = current.input + (event.inputTokens ?? 0)
      const output = current.output + (event.outputTokens ?? 0)
      const counted = { ...current, input, output, ...(model === undefined ? {} : { model }) }
      return { ...fold, current: counted, ...(model === undefined ? {} : { model }) }
    }
    case 'unknown':
      return { ...fold, current: { ...current, unknown: current.unknown + 1 } }
    default:
      return fold
  }
}

function replied(fold: SessionFold, current: FoldedTurn, event: EventOf<'reply'>): SessionFold {
  if (event.text.trim() === '') return fold
  const decisions = [...current.decisions, ...decisionsOf(event.text, 'agent', event.record)]
  const { model } = event
  return {
    ...fold,
    ...(model === undefined ? {} : { model }),
    current: {
      ...current,
      ...(model === undefined ? {} : { model }),
      done: excerpt(event.text, mostDone),
      decisions: decisions.slice(0, 2 * mostErrors),
    },
  }
}

function decisionsOf(text: string, by: Decision['by'], record: number): readonly Decision[] {
  return decisionsIn(text).map((said) => ({ text: excerpt(said.text), by, record }))
}

function called(fold: SessionFold, current: FoldedTurn, { id, tool, use }: EventOf<'call'>): SessionFold {
  const calls = awaited(fold.calls, id, use, tool)
  if (use.does === 'todo') {
    const open = use.items
      .filter(({ status }) => status !== 'done')
      .map(({ text }) => excerpt(text, mostCommand))
      .slice(0, mostOpen)
    return { ...fold, calls, open, current: { ...current, open } }
  }
  if (use.does !== 'read' && use.does !== 'write') return { ...fold, calls }
  const files = { ...current.files }
  for (const file of use.files) {
    const name = nameIn(file, current.cwd)
    if (files[name] === undefined && Object.keys(files).length >= mostFiles) continue
    files[name] = files[name] === 'write' ? 'write' : use.does
  }
  const written = use.does === 'write' ? use.files.map((file) => fixingEdit(nameIn(file, current.cwd))) : []
  return { ...fold, calls, failing: since(fold.failing, written), current: { ...current, files } }
}

/** The oldest call that is awaited is dropped when there are many: its result never came. */
function awaited(calls: SessionFold['calls'], id: string, use: ToolUse, tool: string): SessionFold['calls'] {
  const what = use.does === 'command' ? { command: excerpt(use.command, mostCommand) } : { tool }
  const kept = Object.entries(calls).slice(1 - mostCalls)
  return { ...Object.fromEntries(kept), [id]: what }
}

function answered(fold: SessionFold, current: FoldedTurn, event: EventOf<'result'>): SessionFold {
  const call = fold.calls[event.call]
  const { [event.call]: _, ...calls } = fold.calls
  if (call === undefined) return fold
  const failed = event.isError || (event.exitCode ?? 0) !== 0
  if (!('command' in call)) {
    const error = failed ? tellingLine(event.text) : undefined
    if (error === undefined) return { ...fold, calls }
    const errors = [...current.errors, `${call.tool}: ${error}`].slice(-mostErrors)
    return { ...fold, calls, current: { ...current, errors } }
  }
  return afterCommand({ ...fold, calls }, current, { ...call, failed, event })
}

interface Ran {
  readonly command: string
  readonly failed: boolean
  readonly event: EventOf<'result'>
}

function afterCommand(fold: SessionFold, current: FoldedTurn, { command, failed, event }: Ran): SessionFold {
  const error = failed ? tellingLine(event.text) : undefined
  const ran: FoldedCommand = {
    command,
    failed,
    record: event.record,
    ...(event.exitCode === undefined ? {} : { exitCode: event.exitCode }),
    ...(error === undefined ? {} : { error }),
  }
  const same = commandKey(command)
  const before = fold.failing.find((each) => commandKey(each.command) === same)
  const others = fold.failing.filter((each) => each !== before)
  const isFixed = !failed && before !== undefined && before.by.length > 0
  const fixes = isFixed
    ? [...current.fixes, { command, error: before.error, by: before.by, record: event.record }]
    : current.fixes
  const failing = failed
    ? [...others, { command, error: error ?? '', by: before?.by ?? [] }].slice(-mostFailing)
    : since(others, [command])
  return { ...fold, failing, current: { ...current, fixes, commands: bounded([...current.commands, ran]) } }
}

/** Of many commands, those that passed first are dropped. */
function bounded(commands: readonly FoldedCommand[]): readonly FoldedCommand[] {
  if (commands.length <= mostCommands) return commands
  const first = commands.findIndex(({ failed }) => !failed)
  return commands.filter((_, i) => i !== Math.max(0, first))
}

function since(failing: readonly Failing[], done: readonly string[]): readonly Failing[] {
  if (done.length === 0) return failing
  return failing.map((each) => ({ ...each, by: [...new Set([...each.by, ...done])].slice(-mostBy) }))
}

/** The same command in another directory or with other spaces is still the same. */
export function commandKey(command: string): string {
  return command
    .replace(/^\s*cd\s+\S+\s*(?:&&|;)\s*/, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/(?:\s+2>&1)?(?:\s*\|\s*(?:tail|head|cat)\b[^|]*)?$/, '')
    .trim()
}

/** A file in the project by its place there, another one by its name alone. */
function nameIn(file: string, cwd: string | undefined): string {
  const plain = file.replaceAll('\\', '/')
  const root = cwd?.replaceAll('\\', '/').replace(/\/$/, '')
  if (root !== undefined && plain.startsWith(`${root}/`)) return excerpt(plain.slice(root.length + 1), mostCommand)
  const isInside = !/^(?:[A-Za-z]:)?\//.test(plain) && !plain.startsWith('~') && !plain.split('/').includes('..')
  return excerpt(isInside ? plain.replace(/^\.\//, '') : (plain.split('/').at(-1) ?? plain), mostCommand)
}
