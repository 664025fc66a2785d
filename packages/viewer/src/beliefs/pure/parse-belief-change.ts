/** A change of a belief as the page sent it, or what is wrong with it. */
import type { BeliefChange } from '../../contract/beliefs.ts'

const longest = 2_000
const verbs = ['confirm', 'forget', 'restore'] as const

/** `undefined` for anything else: unknown words, missing ids, fields that are no text. */
export function parseBeliefChange({
  do: wanted,
  id,
  text,
}: Readonly<Record<string, unknown>>): BeliefChange | undefined {
  if (typeof id !== 'string' || !/^[^\s:]{4,200}$/u.test(id)) return undefined
  const verb = verbs.find((each) => each === wanted)
  if (verb !== undefined) return { do: verb, id }
  if (wanted !== 'correct' || typeof text !== 'string' || text.trim() === '' || text.length > longest) return undefined
  return { do: 'correct', id, text }
}
