/**
 * Finds text that looks like passwords and keys. Notes are synced, logs are kept for years, and both are put into prompts, so a secret in
 * them is a leak. Only shapes that are rarely wrong are reported: hashes, ids, placeholders, code and examples from manuals are not. The
 * run time grows linearly with the text.
 */
import type { Payload } from '../node.ts'
import { labelledSecrets, labelSign, labelWord, secretName } from './labelled-secrets.ts'
import { isPlaceholder } from './placeholder.ts'
import { type SecretShape, secretShapes } from './secret-shapes.ts'

export interface FoundSecret {
  /** The kind of secret, such as `github-token`. */
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * Finds text that looks like passwords and keys. Hashes, ids and placeholders are not reported.
 *
 * @example
 * ```ts
 * import { findSecrets } from '@agentm/nodes'
 *
 * console.log(findSecrets('The port is 5433.').length) // 0
 * ```
 */
export function findSecrets(text: string): readonly FoundSecret[] {
  if (text.length < shortest) return none
  const found: FoundSecret[] = []
  if (hasLongRun(text))
    for (const { kind, hint, pattern, group = 0 } of shapesBegunIn(text))
      if (text.includes(hint))
        for (const match of text.matchAll(pattern)) {
          const value = match[group] ?? ''
          if (!isPlaceholder(value) && !isOnlyHeader(kind, value)) found.push(placed(kind, match, value))
        }
  if (labelWord.test(text) && labelSign.test(text))
    for (const { kind, pattern, isSecret } of labelledSecrets)
      for (const match of text.matchAll(pattern)) {
        const value = match[1] ?? match[2] ?? match[3] ?? ''
        if (value !== '' && isSecret(value, match)) found.push(placed(kind, match, value))
      }
  return found.length < 2 ? found : withoutOverlap(found)
}

/**
 * Replaces each secret in the text by `[redacted: KIND]`. Returns the same string if there is none.
 *
 * @example
 * ```ts
 * import { redactSecrets } from '@agentm/nodes'
 *
 * console.log(redactSecrets('The port is 5433.')) // The port is 5433.
 * ```
 */
export function redactSecrets(text: string): string {
  return findSecrets(text).reduceRight(
    (now, { kind, start, end }) => `${now.slice(0, start)}${marker(kind)}${now.slice(end)}`,
    text,
  )
}

/**
 * Redacts every string in a value, at any depth. Returns the same object if there was nothing to redact.
 *
 * @example
 * ```ts
 * import { redactValue } from '@agentm/nodes'
 *
 * console.log(redactValue({ args: ['--port', '5433'] }).args.join(' ')) // --port 5433
 * ```
 */
export function redactValue<T>(value: T, key?: string): T
export function redactValue(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return redactNamed(value, key)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    // A vector contains thousands of numbers and no text, so it is skipped.
    if (typeof value[0] === 'number') return value
    const items = value.map((item: unknown) => redactValue(item, key))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? redactFields(value as Payload, nothing) : value
}

/**
 * Redacts the fields of a payload, except those named in `verbatim`.
 *
 * @example
 * ```ts
 * import { redactFields } from '@agentm/nodes'
 *
 * console.log(redactFields({ text: 'The port is 5433.' }, new Set())['text']) // The port is 5433.
 * ```
 */
export function redactFields(payload: Payload, verbatim: ReadonlySet<string>): Payload {
  let changed: Record<string, unknown> | undefined
  for (const name in payload) {
    if (verbatim.has(name)) continue
    const value = payload[name]
    const after = redactValue(value, name)
    if (after !== value) (changed ??= { ...payload })[name] = after
  }
  return changed ?? payload
}

const shortest = 8
const none: readonly FoundSecret[] = []
const nothing: ReadonlySet<string> = new Set()

/** Redacts a value under a name such as `password`, whatever the value looks like. */
function redactNamed(text: string, key: string): string {
  const kind = key === '' ? undefined : secretName(key, text)
  return kind === undefined ? redactSecrets(text) : marker(kind)
}

function marker(kind: string): string {
  return `[redacted: ${kind}]`
}

/** True if the match is only the header of a private key without the key, as a manual or a test contains it. */
function isOnlyHeader(kind: string, value: string): boolean {
  return kind === 'private-key' && !/[A-Za-z0-9+/]{30,}/.test(value)
}

/** Every shape contains a run of at least this many such characters, and most texts contain none. */
const leastRun = 20
const inRun = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_.~+/-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Checks the last character of a possible run first: if it does not match, no run can include it. */
function hasLongRun(text: string): boolean {
  for (let start = 0; start + leastRun <= text.length;) {
    let at = start + leastRun - 1
    while (at >= start && inRun[text.charCodeAt(at)] === 1) at--
    if (at < start) return true
    start = at + 1
  }
  return false
}

/** Shapes by the first two characters of their hint. One pass over a text finds the shapes that are worth trying. */
const shapesByPair: ReadonlyMap<number, readonly SecretShape[]> = grouped()
const isPair = Uint8Array.from({ length: 128 * 128 }, (_, pair) => (shapesByPair.has(pair) ? 1 : 0))
const unpaired = secretShapes.filter(({ hint }) => hint.length < 2)

function grouped(): ReadonlyMap<number, readonly SecretShape[]> {
  const groups = new Map<number, SecretShape[]>()
  for (const shape of secretShapes)
    if (shape.hint.length >= 2) {
      const pair = shape.hint.charCodeAt(0) * 128 + shape.hint.charCodeAt(1)
      groups.set(pair, [...(groups.get(pair) ?? []), shape])
    }
  return groups
}

function shapesBegunIn(text: string): readonly SecretShape[] {
  const pairs = new Set<number>()
  for (let at = 0, last = 0; at < text.length; at++) {
    const next = text.charCodeAt(at)
    if (next < 128 && isPair[last * 128 + next] === 1) pairs.add(last * 128 + next)
    last = next < 128 ? next : 0
  }
  if (pairs.size === 0) return unpaired
  return [...unpaired, ...[...pairs].flatMap((pair) => shapesByPair.get(pair) ?? [])]
}

function placed(kind: string, match: RegExpExecArray, value: string): FoundSecret {
  const start = match.index + match[0].lastIndexOf(value)
  return { kind, start, end: start + value.length }
}

function withoutOverlap(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const kept: FoundSecret[] = []
  for (const each of sorted) if (each.start >= (kept.at(-1)?.end ?? 0)) kept.push(each)
  return kept
}
