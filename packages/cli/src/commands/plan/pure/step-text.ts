/** One step as a person reads it: its status, its input and its result. */
import type { StepHead } from '@agentm/harness'
import { oneLine } from './state-text.ts'
import { shortId } from './short-id.ts'

export function stepText({ id, payload }: Pick<StepHead, 'id' | 'payload'>): string {
  const { planId, title, status, kind = 'agent', nature, attempt, assignedAgent, startedAt, completedAt } = payload
  const { input, result, errorMessage, failure, answers = {}, actor, reason } = payload
  return [
    `${shortId(id)}  ${status}  ${oneLine(title)}  of ${shortId(planId)}`,
    ...line('kind', nature === undefined ? kind : `${kind}, ${nature}`),
    ...line('agent', assignedAgent),
    ...line('attempt', attempt === 0 ? undefined : `${attempt + 1}`),
    ...line('started', startedAt),
    ...line('ended', completedAt),
    ...line('failed', errorMessage === undefined ? undefined : `${errorMessage}${causeOf(failure?.cause)}`),
    ...Object.values(answers).flatMap((answer) => line('answer', said(answer.value, answer.actor, answer.reason))),
    ...line('by hand', actor === undefined && reason === undefined ? undefined : said('', actor, reason).trim()),
    ...block('input', input),
    ...block('result', result),
  ].join('\n')
}

function line(name: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`  ${name.padEnd(8)} ${oneLine(text)}`]
}

function causeOf(cause: string | undefined): string {
  return cause === undefined || cause === 'step' ? '' : ` (${cause})`
}

function said(what: string, actor: string | undefined, reason: string | undefined): string {
  return `${what}${actor === undefined ? '' : ` by ${actor}`}${reason === undefined ? '' : `: ${reason}`}`
}

/** Field by field; a text of several lines is printed as several lines. */
function block(name: string, fields: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (fields === undefined) return []
  const lines = Object.entries(fields).flatMap(([field, value]) => fieldLines(oneLine(field), value))
  return [`  ${name}`, ...lines]
}

function fieldLines(field: string, value: unknown): readonly string[] {
  const lines = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).trimEnd().split(/\r?\n/)
  if (lines.length === 1) return [`    ${field}: ${oneLine(lines[0] ?? '')}`]
  return [`    ${field}:`, ...lines.map((text) => `      ${shown(text)}`)]
}

/** Keeps leading spaces, because output is often a table or code. */
function shown(text: string): string {
  const spaces = /^[ \t]*/.exec(text)?.[0].replaceAll('\t', '  ') ?? ''
  return `${spaces}${oneLine(text)}`
}
