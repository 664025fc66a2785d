import { oneLine } from '@agentm/memory/shown'

/** The answers that a question allows, as text; empty if it allows any answer. */
export function answersOf(allowed: readonly string[] | undefined): string {
  return allowed === undefined ? '' : ` (${allowed.map((answer) => oneLine(answer)).join(' | ')})`
}
