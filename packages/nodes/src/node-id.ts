/** Ids: `<concept>:<short>`. The concept may contain colons; the short part contains none. */
import { createHash } from 'node:crypto'
import { InvalidIdError } from './errors.ts'

const conceptPattern = /^[^\s:]+(?::[^\s:]+)+$/u
const shortPattern = /^[^\s:\p{Cc}]{1,200}$/u

export function isConceptName(name: string): boolean {
  return conceptPattern.test(name) && name.isWellFormed()
}

/**
 * The canonical id for a short id or for an id of this concept. Throws for an id of another concept.
 *
 * @example
 * ```ts
 * import { composeId } from '@agentm/nodes'
 *
 * console.log(composeId('v1:home:lamp', 'hall')) // v1:home:lamp:hall
 * ```
 */
export function composeId(concept: string, id: string): string {
  const short = id.startsWith(`${concept}:`) ? id.slice(concept.length + 1) : id
  if (shortPattern.test(short) && short.isWellFormed()) return `${concept}:${short}`
  if (short.includes(':')) throw new InvalidIdError(id, `it names another concept than ${concept}`)
  throw new InvalidIdError(id, 'an id has 1 to 200 characters and no spaces or colons, such as release-1.4')
}

/**
 * The two parts of a canonical id.
 *
 * @example
 * ```ts
 * import { parseId } from '@agentm/nodes'
 *
 * console.log(parseId('v1:home:lamp:hall').short) // hall
 * ```
 */
export function parseId(id: string): { readonly concept: string; readonly short: string } {
  const cut = id.lastIndexOf(':')
  const [concept, short] = [id.slice(0, Math.max(cut, 0)), id.slice(cut + 1)]
  if (!isConceptName(concept)) throw new InvalidIdError(id, 'write it as <concept>:<short>, such as v1:harness:step:a1')
  if (!shortPattern.test(short) || !short.isWellFormed())
    throw new InvalidIdError(id, 'what follows the concept has 1 to 200 characters and no spaces or colons')
  return { concept, short }
}

/**
 * A deterministic id: the same parts give the same id on every machine, and different lists of parts give different ids.
 *
 * @example
 * ```ts
 * import { deriveId } from '@agentm/nodes'
 *
 * console.log(deriveId('v1:home:lamp', 'hall') === deriveId('v1:home:lamp', 'hall')) // true
 * ```
 */
export function deriveId(concept: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([concept, ...parts]))
  return `${concept}:${hash.digest('hex').slice(0, 32)}`
}
