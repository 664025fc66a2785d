/**
 * Tests millions of hostile keys: each must be refused or name a place below the root. It only tests text; `fuzzLinks` tests what a backend
 * does with links.
 */
import { resolve, sep } from 'node:path'
import { isSeamError } from '@agentm/storage-seam'
import { ContractBrokenError } from './contract-broken-error.ts'
import { SeededChoice } from './seeded-choice.ts'

export interface KeyFuzz {
  /** The function that turns text into a key or throws: `normalizeKey`, or `(text) => backend.resolve(text).key`. */
  readonly normalize: (text: string) => string
  readonly count: number
  readonly seed: number
}

export interface KeyFuzzReport {
  readonly accepted: number
  readonly refused: number
}

/**
 * Throws at the first key that was wrongly accepted, with the key and the seed.
 *
 * @example
 * ```ts
 * import { fuzzKeys } from '@agentm/conformance'
 * import { normalizeKey } from '@agentm/storage-seam'
 *
 * const { accepted, refused } = fuzzKeys({ normalize: normalizeKey, count: 100, seed: 7 })
 * console.log(accepted + refused) // 100
 * ```
 */
export function fuzzKeys({ normalize, count, seed }: KeyFuzz): KeyFuzzReport {
  const random = new SeededChoice(seed)
  let accepted = 0
  for (let i = 0; i < count; i++) {
    const text = hostileKey(random)
    const key = keyOrRefusal(normalize, text)
    if (key === undefined) continue
    accepted++
    const flaw = flawOf(key, normalize)
    if (flaw !== undefined)
      throw new ContractBrokenError(
        `${JSON.stringify(text)} became ${JSON.stringify(key)}, which ${flaw} (seed ${seed}, ${i})`,
      )
  }
  return { accepted, refused: count - accepted }
}

/** Text from known path-traversal attacks, with plain names between, so that it looks harmless. */
export function hostileKey(random: SeededChoice): string {
  const pieces = Array.from({ length: 1 + random.below(6) }, () =>
    random.chance(0.5) ? random.pick(names) : random.pick(tricks),
  )
  return pieces.join(random.pick(['/', '/', '/', '', '//', '/./']))
}

const names = [
  'a',
  'b',
  'note.md',
  'folder',
  'é',
  'e\u0301',
  '📝',
  '.hidden',
  ' ',
  'C:',
  'CON',
  '~',
  'x'.repeat(40),
] as const
const tricks = [
  '..',
  '.',
  '',
  '/',
  '../',
  '/..',
  '...',
  '.. ',
  ' ..',
  '..\u200B',
  '\u2024\u2024',
  '\uFF0E\uFF0E',
  '%2e%2e',
  '%2f',
  '\u2215',
  '..%00',
  '\0',
  '..\0',
  '\\',
  '..\\',
  '\\\\server\\share',
  '\uD800',
  '\uDC00',
  '\uD83D',
  '\uDCDD',
  '\uFEFF',
  '\u202E',
  '\r',
  '\n',
  '..\n',
  'file:///',
  '/etc/passwd',
  '.\u0000.',
] as const

function keyOrRefusal(normalize: (text: string) => string, text: string): string | undefined {
  try {
    return normalize(text)
  } catch (error) {
    if (isSeamError(error, 'INVALID_LOCATOR')) return undefined
    throw error
  }
}

function flawOf(key: string, normalize: (text: string) => string): string | undefined {
  if (key.includes('\\') || key.includes('\0') || !key.isWellFormed()) return 'cannot be stored everywhere'
  if (key !== '' && key.split('/').some((part) => part === '' || part === '.' || part === '..')) return 'is not normal'
  if (normalize(key) !== key) return 'has two spellings'
  const root = resolve(sep, 'a', 'root')
  const path = resolve(root, ...(key === '' ? [] : [key]))
  return path === root || path.startsWith(root + sep) ? undefined : 'lies outside the root'
}
