/**
 * What a coding agent is told when a session starts and when a prompt is given: where the plan and the progress of this project
 * are, and what memory knows. All of it is data, and the first line says so. It speaks in time, says so where there was none, and
 * never fails a session.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataNotice, oneLine, shownId, shownOnOneLine } from '@agentm/memory/shown'
import {
  findActiveBinding,
  findRepo,
  harnessStateDir,
  listPlanFiles,
  type Project,
  type RoutingWorld,
  statePath,
} from '@agentm/routing/reader'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { type Answer, type Call, type Command, type Option, UsageError } from '../command.ts'
import { ShownBefore } from '../shown-before.ts'

// Our hooks file gives a hook five seconds, the least of what hosts allow; a shell and Node start within what is left over.
const limitMs = 4500
const usualTokens = 2000
// Of the time there is, so that what is at hand is told when a server is not.
const serverShare = 0.4
const mostCandidates = 5
const mostShown = 240
// No line begins the answer with a bracket or a brace: Codex takes that for JSON.
const heading = '[agentm] Project state for this repo lives in .harness/:'
const candidates = 'Possibly relevant:'
const within: Option = { value: 'MS', help: 'answer before the process is this old (default: 4500)' }

/** What is told, and what of it is not told a second time. */
interface Told {
  readonly lines: readonly string[]
  readonly shown?: readonly string[]
  readonly data?: unknown
}

const nothing: Told = { lines: [] }

export const hookSessionStart: Command = {
  summary: 'what an agent is told at the start of a session',
  details:
    'Reads the hook input of Claude Code or Codex from standard input: {"session_id": "…", "cwd": "…"}. Exit code 0, always.',
  options: { within },
  run: (call) => inTime(call, sessionStart),
}

/**
 * What an agent may want to know before it answers a prompt. Candidates, said to be that: no score tells an answer from
 * what looks like one. Whole and in time, or nothing.
 */
export const hookPromptSubmit: Command = {
  summary: 'what may matter for a prompt that was just given',
  details:
    'Reads the hook input of Claude Code or Codex from standard input: {"session_id": "…", "cwd": "…", "prompt": "…"}. Exit code 0, always.',
  options: { within },
  run: (call) => inTime(call, promptSubmit),
}

interface Asked {
  readonly input: HookInput
  readonly reader: WorkspaceReader
  readonly ms: number
  readonly known: ReadonlySet<string>
}

async function inTime(call: Call, work: (asked: Asked) => Promise<Told>): Promise<Answer> {
  const limit = limitOf(call)
  // A process that started late has less time left.
  const ms = Math.max(1, limit - process.uptime() * 1000)
  const late = sleep(ms, 'late' as const, { ref: false })
  try {
    const told = await Promise.race([answered(call, ms, work), late])
    return told === 'late' ? answerOf([tooLate(limit)]) : answerOf(told.lines, told.data)
  } catch {
    // A broken marker or store is what `agentm doctor` is for; a session starts all the same.
    return answerOf(['agentm: something is wrong with this project. Run agentm doctor.'])
  }
}

async function answered(call: Call, ms: number, work: (asked: Asked) => Promise<Told>): Promise<Told> {
  const input = await hookInput(call)
  const reader = await call.reader(input.cwd)
  const before = new ShownBefore(reader.routing.selection, input.session)
  const known = input.beginsAnew ? new Set<string>() : await before.known()
  const told = await work({ input, reader, ms, known })
  await before.add(told.shown ?? [], { anew: input.beginsAnew })
  if (input.beginsAnew || known.size === 0) await before.clean(Date.now())
  return told
}

function answerOf(lines: readonly string[], data: unknown = { lines }): Answer {
  return { text: lines.join('\n'), data, isLast: true }
}

function tooLate(limit: number): string {
  return `agentm: memory was not looked up, because ${limit} ms were not enough. Ask memory_recall, or agentm recall, where it matters.`
}

function limitOf(call: Call): number {
  const given = call.get('within')
  if (given === undefined) return limitMs
  const ms = Number(given)
  if (!Number.isInteger(ms) || ms <= 0 || ms >= 2 ** 31)
    throw new UsageError(`--within takes a number of milliseconds, not "${given}"`)
  return ms
}

async function sessionStart({ reader, ms, known }: Asked): Promise<Told> {
  const remembering = remembered(reader, { serverMs: ms * serverShare, known })
  const project = await reader.project()
  const lines = [...(await stateLines(project, reader.routing)), ...refusalLines(project)]
  const { text, shown } = await remembering
  if (lines.length > 0) {
    const id = shownId({ id: 'state', text: lines.join('\n') })
    const state = known.has(id) ? [] : lines
    // What memory tells begins with the same sentence.
    const rest = text === '' ? [] : ['', text.replace(`${dataNotice}\n`, '').trimEnd()]
    const told = [...state, ...rest]
    return { lines: told.length === 0 ? [] : [dataNotice, ...told], shown: [id, ...shown] }
  }
  return text === '' ? { lines: await nudge(project, known) } : { lines: [text.trimEnd()], shown }
}

async function promptSubmit({ input: { prompt }, reader, ms, known }: Asked): Promise<Told> {
  if (prompt.trim() === '') return nothing
  const opened = await reader.memory({ serverMs: ms * serverShare })
  if (opened === undefined) return nothing
  const { results } = await opened.memory.recall({
    text: prompt.slice(0, 2000),
    k: mostCandidates,
    floor: 'strict',
    scanBudgetMs: ms / 3,
  })
  const fitting = results.filter((found) => !known.has(shownId(found)))
  if (fitting.length === 0) return nothing
  const lines = fitting.map(
    (found) => `- ${shownOnOneLine({ ...found, text: found.passage ?? found.text }, mostShown)}`,
  )
  return { lines: [dataNotice, candidates, ...lines], shown: fitting.map(shownId), data: { results: fitting } }
}

interface HookInput {
  readonly cwd: string
  readonly prompt: string
  readonly session: string | undefined
  /** The agent's context was cleared or shortened: what it was shown is gone. */
  readonly beginsAnew: boolean
}

/** What the host says on standard input; what is absent or broken there is as if it had not been said. */
async function hookInput({ cwd, terminal }: Call): Promise<HookInput> {
  const input = process.stdin.isTTY ? '' : await terminal.readInput()
  const hook: unknown = input.trim() === '' ? {} : JSON.parse(input)
  const said = (name: string) => {
    const value: unknown =
      typeof hook === 'object' && hook !== null ? (hook as Record<string, unknown>)[name] : undefined
    return typeof value === 'string' ? value : undefined
  }
  return {
    cwd: said('cwd') ?? cwd,
    prompt: said('prompt') ?? '',
    session: said('session_id') ?? said('conversation_id'),
    beginsAnew: ['clear', 'compact'].includes(said('source') ?? ''),
  }
}

async function stateLines(project: Project, world: RoutingWorld): Promise<string[]> {
  const plans = await listPlanFiles(project)
  const home = path.dirname(await statePath(project, { which: 'plan', plan: '' }, world))
  const named = plans.filter((name) => name !== 'PLAN.md')
  if (named.length > 0) return namedPlanLines(project, { plans, home })
  const { backend, locator } = harnessStateDir(project)
  const present = await Promise.all(['PLAN.md', 'progress.md'].map((name) => backend.exists(locator.child(name))))
  if (!present.includes(true)) return []
  return [
    heading,
    ...(present[0] === true ? [`  PLAN.md:     ${oneLine(path.join(home, 'PLAN.md'))}`] : []),
    ...(present[1] === true ? [`  progress.md: ${oneLine(path.join(home, 'progress.md'))}`] : []),
    'Read PLAN.md before answering plan-status questions or running /work, /review, /release.',
  ]
}

async function namedPlanLines(
  project: Project,
  { plans, home }: { readonly plans: readonly string[]; readonly home: string },
): Promise<string[]> {
  return [
    heading,
    'Named-plan mode - this repo has more than one active plan:',
    ...plans.map((name) => `  ${oneLine(name).padEnd(22)} ${oneLine(path.join(home, name))}`),
    ...bindingLine(await findActiveBinding(project), { plans, home }),
    'Read the plan you own before answering plan-status questions or running /work, /review, /release.',
  ]
}

function bindingLine(
  raw: string | undefined,
  { plans, home }: { readonly plans: readonly string[]; readonly home: string },
): string[] {
  if (raw === undefined) return []
  const name = `PLAN-${raw.replace(/\.md$/, '').replace(/^PLAN-/, '')}.md`
  const bound = `Active plan (.harness/active-plan -> ${oneLine(raw)})`
  return [
    plans.includes(name)
      ? `${bound}: ${oneLine(path.join(home, name))}`
      : `${bound}: DANGLING - ${oneLine(name)} not found; run doctor.`,
  ]
}

/** What keeps this project from being written belongs in front of the one who is about to work on it. */
function refusalLines(project: Project): string[] {
  const { refusal } = harnessStateDir(project)
  return refusal === undefined ? [] : [`[agentm] State cannot be written here: ${oneLine(refusal.message)}`]
}

interface Remembered {
  readonly text: string
  readonly shown: readonly string[]
}

/** What is always loaded and what work here usually asks for, within a budget that leaves room for the work itself. */
async function remembered(
  reader: WorkspaceReader,
  { serverMs, known }: { readonly serverMs: number; readonly known: ReadonlySet<string> },
): Promise<Remembered> {
  const { phaseBudget } = await import('@agentm/process-seam')
  const limit = phaseBudget('work', process.env).tokens ?? usualTokens
  try {
    const opened = await reader.memory({ serverMs })
    return (await opened?.memory.bundle({ phase: 'work', limit, known })) ?? { text: '', shown: [] }
  } catch {
    // Where the plan is can be told all the same; `agentm doctor` tells what is wrong with memory.
    return { text: '', shown: [] }
  }
}

async function nudge(
  { slug, backend, projectRoot, registers }: Project,
  known: ReadonlySet<string>,
): Promise<string[]> {
  if (known.size > 0 || slug === undefined || backend === undefined || !registers) return []
  if (!existsSync(path.join(projectRoot, '.git')) || (await findRepo(backend, slug)) !== undefined) return []
  return [`agentm: ${oneLine(slug)} is not registered yet; agentm repos register enters it.`]
}
