/**
 * Whether a longer text contains a statement in similar words that stand close together. It finds tool output that an agent
 * repeats, whatever surrounds it.
 */
import { termsOf } from '@agentm/memory/ranking'

// The least share of the statement's words, and the size of the searched window, in words of the text per word of the statement.
const [leastFound, spread] = [0.75, 2]

// "The manual says: …", "According to the log, …"
const attribution =
  /^(?:[^:.\n]{1,60}:|[^.\n]{1,60}?\b(?:says?|states?|reads?|tells?|claims?|notes?|mentions?|reports?)(?: that)?|according to [^,.\n]{1,60},)\s+/i

export function holdsStatement(text: string, statement: string): boolean {
  const said = statement.replace(attribution, '')
  return holds(text, statement) || (said !== statement && holds(text, said))
}

function holds(text: string, statement: string): boolean {
  const wanted = new Set(termsOf(statement).map(({ stem }) => stem))
  if (wanted.size === 0) return false
  const [least, width] = [Math.ceil(wanted.size * leastFound), wanted.size * spread]
  const near: string[] = []
  const counted = new Map<string, number>()
  for (const { stem } of termsOf(text)) {
    near.push(stem)
    if (wanted.has(stem)) counted.set(stem, (counted.get(stem) ?? 0) + 1)
    if (near.length > width) forget(counted, near.shift() ?? '')
    if (counted.size >= least) return true
  }
  return false
}

function forget(counted: Map<string, number>, stem: string): void {
  const times = counted.get(stem)
  if (times === 1) counted.delete(stem)
  else if (times !== undefined) counted.set(stem, times - 1)
}
