/**
 * A place in the namespace of a backend. It is not a path and does no I/O. Every constructor normalises the key, so two locators of one
 * place have the same key. Use `key` in a Map or a Set, because these compare locators by identity.
 */
import { InvalidLocatorError } from './errors.ts'
import { normalizeKey } from './normalize-key.ts'

const brand = Symbol.for('@agentm/storage-seam/locator')

/**
 * A place in a backend, as a normalised key. It is never a file path. Use `key` in a Map or a Set.
 *
 * @example
 * ```ts
 * import { Locator } from '@agentm/storage-seam'
 *
 * const note = new Locator('notes//./monday.md')
 * console.log(note.key, note.name, note.parent.key) // notes/monday.md monday.md notes
 * console.log(note.parent.child('tuesday.md').key) // notes/tuesday.md
 * ```
 */
export class Locator {
  readonly key: string

  // The brand is set once on the prototype, because a directory walk creates one locator per name.
  static {
    Object.defineProperty(Locator.prototype, brand, { value: true })
  }

  constructor(key: string) {
    this.key = normalizeKey(key)
    Object.freeze(this)
  }

  /** The segments of the key; an empty list at the root. */
  get parts(): readonly string[] {
    return this.key === '' ? [] : this.key.split('/')
  }

  /** The last segment; `''` at the root. */
  get name(): string {
    return this.key.slice(this.key.lastIndexOf('/') + 1)
  }

  /** The place that contains this one. The parent of the root is the root itself. */
  get parent(): Locator {
    return new Locator(this.parts.slice(0, -1).join('/'))
  }

  /** The place below this one, with the key parts `parts` appended. */
  child(...parts: readonly string[]): Locator {
    // A fast path for one part, because a listing calls this thousands of times.
    if (parts.length === 1) return new Locator(`${this.key}/${normalizeKey(parts[0] ?? '')}`)
    return new Locator([this.key, ...parts.map(normalizeKey)].join('/'))
  }

  equals(other: unknown): boolean {
    return isLocator(other) && other.key === this.key
  }

  /** Whether `other` is this place or is below it. */
  contains(other: Locator): boolean {
    return this.key === '' || other.key === this.key || other.key.startsWith(`${this.key}/`)
  }

  toString(): string {
    return this.key
  }

  toJSON(): string {
    return this.key
  }
}

/**
 * Checks the brand and not the class, because a plugin may load its own copy of this package.
 *
 * @example
 * ```ts
 * import { isLocator, Locator } from '@agentm/storage-seam'
 *
 * console.log(isLocator(new Locator('notes')), isLocator('notes')) // true false
 * ```
 */
export function isLocator(value: unknown): value is Locator {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true
}

/**
 * Checks that an argument from an unknown caller is a locator. A backend calls this first.
 *
 * @example
 * ```ts
 * import { asLocator } from '@agentm/storage-seam'
 *
 * asLocator('notes/monday.md') // throws: a text is no locator
 * ```
 */
export function asLocator(value: unknown): Locator {
  if (!isLocator(value)) throw new InvalidLocatorError(String(value), 'a locator was wanted; make one with resolve()')
  return value instanceof Locator ? value : new Locator((value as Locator).key)
}
