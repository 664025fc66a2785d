/** A trace as text: a head, one line of figures, and one line per event. */
import type { Trace, TraceEvent } from './assemble-trace.ts'
import { oneLine } from './one-line.ts'
import { traceMetrics } from './trace-metrics.ts'

export interface RenderOptions {
  /** Shows the arguments and the answer below each tool call (default: false). */
  readonly calls?: boolean
}

/**
 * A trace as text: a head, one line of figures, and one line per event.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, openHarness, readTrace, renderTrace, traceMetrics } from '@agentm/harness'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * const { planId } = await harness.createPlan({ goal: 'release 1.4', steps: [{ key: 'a', title: 'Test', kind: 'command' }] })
 * const trace = await readTrace(store.log, { planId, owner: 'ada' })
 * console.log(trace.goal, trace.finalStatus, trace.complete) // release 1.4 open false
 * console.log(renderTrace(trace).split('\n').length > 3, traceMetrics(trace).tokens) // true 0
 * ```
 */
export function renderTrace(trace: Trace, { calls = false }: RenderOptions = {}): string {
  const { planId, goal, finalStatus, events } = trace
  return [
    `Plan ${oneLine(planId)}`,
    ...(goal === '' ? [] : [`  goal:   ${oneLine(goal)}`]),
    `  status: ${oneLine(finalStatus) || '(unknown)'}`,
    metricsLine(trace),
    '',
    ...(events.length === 0
      ? ['(no events recorded for this plan)']
      : ['Timeline:', ...events.flatMap((event) => [eventLine(event), ...(calls ? callLines(event) : [])])]),
    '',
  ].join('\n')
}

function metricsLine(trace: Trace): string {
  const metrics = traceMetrics(trace)
  const { success, stepCount, stepsDone, stepsFailed, toolCalls, tokens, wallClockMs, observations } = metrics
  const steps = `steps=${stepCount} (done=${stepsDone} failed=${stepsFailed})`
  const wall = `wall=${shortDuration(wallClockMs)}`
  return `  success=${success} ${steps} toolCalls=${toolCalls} tokens=${tokens} ${wall} observations=${observations}`
}

function eventLine(event: TraceEvent): string {
  return `  ${utcSecond(event.at)}  ${describe(event)}`
}

/** Arguments and answer only if the event has them; a tool may store less of them than the model saw. */
function callLines({ toolName, erased, data }: TraceEvent): readonly string[] {
  if (toolName === '' || erased) return []
  return ['args', 'result'].flatMap((name) =>
    data[name] === undefined ? [] : [`${' '.repeat(33)}${name.padEnd(6)} ${valueText(data[name])}`],
  )
}

const longestValue = 2000

function valueText(value: unknown): string {
  const characters = Array.from(typeof value === 'string' ? value.trim() : (JSON.stringify(value) ?? ''))
  const shown =
    characters.length > longestValue ? `${characters.slice(0, longestValue - 1).join('')}…` : characters.join('')
  return oneLine(shown)
}

function describe(event: TraceEvent): string {
  const { kind, status, actor, nodeId, content, why, erased } = event
  const title = erased ? ' (erased)' : content === '' ? '' : ` (${oneLine(content)})`
  const by = actor === '' ? '' : ` by ${oneLine(actor)}`
  const transition = `${oneLine(status).padEnd(8)} ${oneLine(event.mutation) || '(unattributed)'}${by}`
  switch (kind) {
    case 'plan':
      return `[plan]   ${transition}${erased ? ' -- (erased)' : said(why)}`
    case 'step':
      return `[step]   ${transition} -- ${oneLine(nodeId)}${title}${said(why)}`
    case 'entry':
      return `[func]   ${oneLine(status).padEnd(8)} ${oneLine(content)}${by}${erased ? ' -- (erased)' : said(why)}`
    case 'observation':
      return `[obs]    ${observed(event)}${by}${erased ? ' -- (erased)' : said(content)}`
    default:
      return '[?]'
  }
}

function observed({ observationKind, toolName }: TraceEvent): string {
  return `${oneLine(observationKind).padEnd(8)}${toolName === '' ? '' : ` tool=${oneLine(toolName)}`}`
}

/** At most 80 characters; no character is cut in half. */
function said(content: string): string {
  const characters = Array.from(content.trim())
  if (characters.length === 0) return ''
  const shown = characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : characters.join('')
  return ` -- ${oneLine(shown)}`
}

function utcSecond(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? `${new Date(at).toISOString().slice(0, 19)}Z` : '(no time)'
}

/** Formats such as 850ms, 1.2s, 3m05s, 2h03m. */
function shortDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${Math.floor(ms / 100) / 10}s`
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  return hours > 0 ? `${hours}h${two(minutes % 60)}m` : `${minutes}m${two(seconds % 60)}s`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
