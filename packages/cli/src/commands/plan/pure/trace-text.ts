/**
 * A trace as a person reads it: titles instead of ids, and times since the plan was created. Events that explain nothing, such as a
 * step becoming ready, are left out unless everything is asked for.
 */
import { type Trace, traceMetrics } from '@agentm/harness'
import { durationText } from './duration-text.ts'
import { shortId } from './short-id.ts'
import { oneLine } from './state-text.ts'
import { stepCount } from './step-count.ts'

type TraceEvent = Trace['events'][number]

export interface TraceTextOptions {
  /** Every event, with its date, who wrote it and the id of its step. */
  readonly verbose: boolean
  /** Below each tool call, its arguments and its result. */
  readonly calls: boolean
}

export function traceText(trace: Trace, options: TraceTextOptions): string {
  const { planId, goal, finalStatus, events } = trace
  const [first] = events
  const head = goal === '' ? [] : [oneLine(goal)]
  if (first === undefined)
    return [...head, `There is no plan ${shortId(planId)}, or it belongs to another owner.`].join('\n')
  return [
    ...head,
    `Plan ${shortId(planId)}: ${oneLine(finalStatus) || 'status unknown'}, ${figures(trace)}`,
    `Created on ${dateText(first.at)}`,
    '',
    ...eventLines(trace, options),
  ].join('\n')
}

function figures(trace: Trace): string {
  const { stepCount: steps, stepsDone, stepsFailed, toolCalls, tokens, wallClockMs } = traceMetrics(trace)
  return [
    `${stepsDone} of ${stepCount(steps)} done`,
    ...(stepsFailed === 0 ? [] : [`${stepsFailed} failed`]),
    ...(toolCalls === 0 ? [] : [toolCalls === 1 ? '1 tool call' : `${toolCalls} tool calls`]),
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    durationText(wallClockMs),
  ].join(', ')
}

function eventLines({ events, steps }: Trace, { verbose, calls }: TraceTextOptions): readonly string[] {
  const titles = new Map(steps.map(({ id, title }) => [id, oneLine(title)]))
  const widest = Math.min(24, Math.max(0, ...[...titles.values()].map((title) => title.length)))
  const began = events[0]?.at ?? 0
  const seen = new Map<string, string>()
  return events.flatMap((event) => {
    const before = seen.get(event.nodeId)
    seen.set(event.nodeId, event.status)
    if (!verbose && isRoutine(event, before)) return []
    const time = verbose ? dateText(event.at) : sinceText(event.at - began)
    const name = event.kind === 'plan' ? 'plan' : (titles.get(event.stepId) ?? '')
    const where = verbose && event.stepId !== '' ? `${shortId(event.stepId)} ` : ''
    const line = `  ${time}  ${where}${name.padEnd(widest)}  ${happened(event, before)}${verbose ? by(event) : ''}`
    return [line.trimEnd(), ...(calls ? callLines(event) : [])]
  })
}

/** Creation of steps, and a first time of being ready, explain nothing; neither does a version that changed no status. */
function isRoutine({ kind, status, why, erased }: TraceEvent, before: string | undefined): boolean {
  if (kind === 'entry') return !erased && status === before
  if (kind !== 'step' || erased || why !== '') return false
  return (
    status === before || status === 'pending' || (status === 'ready' && (before === undefined || before === 'pending'))
  )
}

function happened(event: TraceEvent, before: string | undefined): string {
  const { kind, content, observationKind, toolName, erased, why } = event
  if (erased) return `${oneLine(event.status || observationKind)} (content erased)`
  if (kind === 'observation') {
    const tool = toolName === '' ? '' : ` ${oneLine(toolName)}`
    return `${oneLine(observationKind).replaceAll('_', ' ')}${tool}${because(content)}`
  }
  // What a durable function asked for, such as: step "notes" done.
  const subject = kind === 'entry' ? `${oneLine(content)} ` : ''
  return `${subject}${statusText(event, before)}${because(why)}`
}

const words: Readonly<Record<string, string>> = {
  pending: 'created',
  running: 'started',
  blocked: 'waiting',
}

function statusText({ kind, status, mutation }: TraceEvent, before: string | undefined): string {
  if (status === before) return oneLine(mutation)
  if (kind === 'plan' && before === undefined) return 'created'
  if (kind === 'step' && status === 'ready' && before !== undefined && before !== 'pending') return 'ready again'
  return words[status] ?? oneLine(status)
}

/** At most 100 characters, whole ones. */
function because(text: string): string {
  const characters = Array.from(oneLine(text))
  if (characters.length === 0) return ''
  return `: ${characters.length > 100 ? `${characters.slice(0, 99).join('')}…` : characters.join('')}`
}

function by({ actor, mutation }: TraceEvent): string {
  const who = [mutation, actor === '' ? '' : `by ${actor}`].filter((part) => part !== '').join(' ')
  return who === '' ? '' : ` (${oneLine(who)})`
}

const longestValue = 2000

/** A tool may keep less of its arguments, or of its result, than the model saw. */
function callLines({ toolName, erased, data }: TraceEvent): readonly string[] {
  if (toolName === '' || erased) return []
  return ['args', 'result'].flatMap((name) => {
    const value = data[name]
    if (value === undefined) return []
    const characters = Array.from(oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))
    const shown = characters.length > longestValue ? [...characters.slice(0, longestValue - 1), '…'] : characters
    return [`${' '.repeat(14)}${name.padEnd(6)} ${shown.join('')}`]
  })
}

function sinceText(ms: number): string {
  if (!Number.isFinite(ms)) return ' '.repeat(10)
  const text = ms >= 1000 && ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : durationText(ms)
  return `+${text}`.padStart(10)
}

function dateText(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15
    ? new Date(at)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, ' UTC')
    : 'an impossible time'
}
