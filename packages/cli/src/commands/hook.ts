/**
 * What a coding agent gets when a session starts and when a prompt is given: the places of the plan and progress files, and what
 * memory knows. All of it is data, and the first line says so. A hook keeps its time limit, says so if memory was too slow, and
 * never fails a session. When a session starts, stops, ends or shortens its context, what it did so far is captured by a process
 * of its own.
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
import type { HookEvent } from '../hosts/pure/hook-events.ts'
import { hookOutput, takesContext } from '../hosts/pure/hook-output.ts'
import { ShownBefore } from '../shown-before.ts'
import { startCapture } from '../start-capture.ts'
import { commandWord, typed } from '../typed.ts'
import { hostOf, hostOption, saidByHost } from './called-by-host.ts'

// Our hooks file allows ten seconds. The rest is for the start of a shell and of Node. On a machine that is not busy, a hook takes a
// fraction of a second.
const limitMs = 9000
const usualTokens = 2000
// The share of the time that a server may take, so that a slow server does not hold back what is on this device.
const serverShare = 0.4
// The share of the time that looking for changed notes may take on a slow disk.
const scanShare = 1 / 3
/** The processor time that a prompt may spend on looking for changed notes. Its answers are opened in any case. */
const glanceMs = 15
const mostCandidates = 5
const mostShown = 240
const heading = '[agentm] Project state for this repo lives in .harness/:'
const candidates = 'Possibly relevant:'
const within: Option = {
  value: 'MS',
  help: 'the time limit, in milliseconds since the process started (default: 9000)',
}

/** What is printed, and which parts of it are not printed again in the same session. */
interface Told {
  readonly lines: readonly string[]
  readonly shown?: readonly string[]
  readonly data?: unknown
}

const nothing: Told = { lines: [] }

export const hookSessionStart: Command = {
  summary: 'print what an agent should know when a session starts',
  details:
    'Reads the hook input of the coding agent from standard input: {"session_id": "…", "cwd": "…"}. The exit code is always 0, except for a wrong option (2).',
  options: { within, host: hostOption },
  run: (call) => inTime(call, 'session-start', sessionStart),
}

/**
 * Notes that may help an agent to answer a prompt. They are called candidates, because no score tells an answer from a note that
 * only resembles one. If the search does not end in time, nothing is printed.
 */
export const hookPromptSubmit: Command = {
  summary: 'print notes that may help with a prompt that was just given',
  details:
    'Reads the hook input of the coding agent from standard input: {"session_id": "…", "cwd": "…", "prompt": "…"}. The exit code is always 0, except for a wrong option (2).',
  options: { within, host: hostOption },
  run: (call) => inTime(call, 'prompt-submit', promptSubmit),
}

interface Asked {
  readonly input: {
    readonly cwd: string
    readonly prompt: string
    readonly session: string | undefined
    /** The agent's context was cleared or shortened, so it has lost what it was shown. */
    readonly beginsAnew: boolean
  }
  readonly reader: WorkspaceReader
  readonly ms: number
  readonly known: ReadonlySet<string>
}

type Work = (asked: Asked) => Promise<Told>

async function inTime(call: Call, event: HookEvent, work: Work): Promise<Answer> {
  const [host, limit] = [hostOf(call), limitOf(call)]
  // The start of the process counts, too.
  const ms = Math.max(1, limit - process.uptime() * 1000)
  const late = sleep(ms, 'late' as const, { ref: false })
  const answer = ({ lines, data = { lines } }: Told): Answer => {
    const text = hookOutput(host, event, lines.join('\n'))
    return { text: text === '' ? '' : `${text}\n`, data, exact: true, isLast: true }
  }
  if (!takesContext(host, event)) return answer(nothing)
  try {
    const told = await Promise.race([answered(call, { ms, event, work }), late])
    return answer(told === 'late' ? { lines: [tooLate(limit)] } : told)
  } catch {
    // A broken store must not keep a session from starting; `agentm doctor` explains it.
    return answer({ lines: [typed('agentm: the memory of this project could not be read. To see why: agentm doctor')] })
  }
}

interface Answering {
  readonly ms: number
  readonly event: HookEvent
  readonly work: Work
}

async function answered(call: Call, { ms, event, work }: Answering): Promise<Told> {
  const said = await saidByHost(call)
  const { session } = said
  // Of earlier sessions, some were captured by nobody: their process was killed, or their host has no hook for the end.
  if (event === 'session-start') await startCapture(call, { host: hostOf(call), session, ends: false })
  const input = { ...said, cwd: said.cwd ?? call.cwd, beginsAnew: ['clear', 'compact'].includes(said.source ?? '') }
  const reader = await call.reader(input.cwd)
  const before = new ShownBefore(reader.routing.selection, session)
  const known = input.beginsAnew ? new Set<string>() : await before.known()
  const told = await work({ input, reader, ms, known })
  await before.add(told.shown ?? [], { anew: input.beginsAnew })
  if (input.beginsAnew || known.size === 0) await before.clean(Date.now())
  return told
}

function tooLate(limit: number): string {
  return typed(
    `agentm: memory was not searched, because it took longer than ${limit} ms. If you need it, call memory_recall or run agentm recall.`,
  )
}

function limitOf(call: Call): number {
  const given = call.get('within')
  if (given === undefined) return limitMs
  const ms = Number(given)
  if (!Number.isInteger(ms) || ms <= 0 || ms >= 2 ** 31)
    throw new UsageError(`--within does not accept "${given}". Use a whole number of milliseconds.`)
  return ms
}

async function sessionStart({ input, reader, ms, known }: Asked): Promise<Told> {
  const remembering = remembered(reader, { input, ms, known })
  const project = await reader.project()
  const lines = [...(await stateLines(project, reader.routing)), ...refusalLines(project)]
  const { text, shown } = await remembering
  if (lines.length > 0) {
    const id = shownId({ id: 'state', text: lines.join('\n') })
    const state = known.has(id) ? [] : lines
    // The text of memory begins with the same sentence.
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
    // An earlier turn in which somebody asked the same is not an answer. What was learned from it is.
    of: ['note', 'belief', 'episode'],
    floor: 'strict',
    glance: true,
    scanBudgetMs: glanceMs,
    scanLimitMs: ms * scanShare,
  })
  const fitting = results.filter((found) => !known.has(shownId(found)))
  if (fitting.length === 0) return nothing
  const lines = fitting.map(
    (found) => `- ${shownOnOneLine({ ...found, text: found.passage ?? found.text }, mostShown)}`,
  )
  return { lines: [dataNotice, candidates, ...lines], shown: fitting.map(shownId), data: { results: fitting } }
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

/** If state files cannot be written here, the agent has to know before it starts to work. */
function refusalLines(project: Project): string[] {
  const { refusal } = harnessStateDir(project)
  return refusal === undefined ? [] : [`[agentm] State cannot be written here: ${oneLine(refusal.message)}`]
}

interface Remembered {
  readonly text: string
  readonly shown: readonly string[]
}

/** Notes that are always loaded, and notes that work here usually needs, within a budget that leaves room for the work. */
async function remembered(
  reader: WorkspaceReader,
  { input, ms, known }: Pick<Asked, 'input' | 'ms' | 'known'>,
): Promise<Remembered> {
  const { phaseBudget } = await import('@agentm/process-seam')
  const limit = phaseBudget('work', process.env).tokens ?? usualTokens
  try {
    const opened = await reader.memory({ serverMs: ms * serverShare })
    // An agent that goes on knows what it did itself, unless its context was cleared or shortened.
    const except = input.beginsAnew ? undefined : input.session
    const begins = { directory: path.basename(input.cwd), ...(except === undefined ? {} : { except }) }
    const found = await opened?.memory.bundle({ phase: 'work', limit, known, begins, scanLimitMs: ms * scanShare })
    return found ?? { text: '', shown: [] }
  } catch {
    // The state files are printed anyway; `agentm doctor` explains what is wrong with memory.
    return { text: '', shown: [] }
  }
}

async function nudge(
  { slug, backend, projectRoot, registers }: Project,
  known: ReadonlySet<string>,
): Promise<string[]> {
  if (known.size > 0 || slug === undefined || backend === undefined || !registers) return []
  if (!existsSync(path.join(projectRoot, '.git')) || (await findRepo(backend, slug)) !== undefined) return []
  return [
    `agentm: the repository ${oneLine(slug)} is not registered yet. To register it: ${commandWord()} repos register`,
  ]
}
