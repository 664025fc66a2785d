/**
 * Adds our tables to the end of a TOML file of a host, and cuts them out again. There is no editor of TOML that keeps comments, so
 * text is added and cut, and parsing confirms that nothing else has changed.
 */
import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'smol-toml'
import { type Edited, HostConfigError, type HostPart, type Keys, type Step, type Value } from './host-file.ts'
import { withoutPlace } from './pure/without-place.ts'

export function connectToml(text: string | undefined, parts: readonly HostPart[]): Edited {
  return edited(text, parts, added)
}

/** The text is `undefined` if nothing is left in the file. */
export function disconnectToml(text: string | undefined, parts: readonly HostPart[]): Edited {
  const done = edited(text, parts, removed)
  return done.text !== text && done.text?.trim() === '' ? { ...done, text: undefined } : done
}

type Entry = Extract<HostPart, { readonly kind: 'entry' }>
type Change = readonly [text: string, outcome: Step['outcome']]

function edited(
  text: string | undefined,
  parts: readonly HostPart[],
  change: (text: string, part: Entry) => Change,
): Edited {
  let now = text ?? ''
  const steps: Step[] = []
  for (const part of parts) {
    if (part.kind !== 'entry') throw new TypeError(`TOML files hold entries, and not a ${part.kind}`)
    const [next, outcome] = change(now, part)
    now = next
    steps.push({ name: part.name, outcome })
  }
  return { text: now === (text ?? '') ? text : now, steps }
}

function added(text: string, part: Entry): Change {
  const { keys, value } = part
  const found = valueAt(parsed(text), keys)
  if (found === undefined) return [appended(text, keys, value), 'added']
  if (isDeepStrictEqual(found, value)) return [text, 'present']
  const without = cut(text, part, found)
  if (without === undefined)
    throw new HostConfigError(`already has a server "${keys.at(-1)}" that is started in another way`)
  return [appended(without, keys, value), 'replaced']
}

function removed(text: string, part: Entry): Change {
  const found = valueAt(parsed(text), part.keys)
  if (found === undefined) return [text, 'absent']
  const without = cut(text, part, found)
  return without === undefined ? [text, 'kept'] : [without, 'removed']
}

function appended(text: string, keys: Keys, value: Value): string {
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const next = `${text}${gap}${tableOf(keys, value)}\n`
  // An inline table cannot be extended at the end of the file; parsing finds that.
  parsed(next)
  return next
}

/** The text without our table and the empty line before it; `undefined` if it is not ours, or not written as we write it. */
function cut(text: string, { keys, ours }: Entry, found: unknown): string | undefined {
  if (!isTable(found) || !ours.some((one) => isDeepStrictEqual(withoutPlace(found), one))) return undefined
  const lines = tableOf(keys, found)
    .split('\n')
    .map(escaped)
    .join(String.raw`\r?\n`)
  const table = new RegExp(String.raw`(^|\n)(?:\r?\n)?${lines}[ \t]*(?:\r?\n|$)`)
  const without = text.replace(table, '$1')
  return isDeepStrictEqual(parsed(without), withoutKey(parsed(text), keys)) ? without : undefined
}

function tableOf(keys: Keys, value: Value): string {
  return stringify(keys.reduceRight((inner, key) => ({ [key]: inner }), value)).trim()
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** A copy without the value; tables that held nothing else are gone too, because a header alone made them. */
function withoutKey(document: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined || !isTable(document)) return document
  const { [first]: found, ...others } = document
  if (rest.length === 0) return others
  const inner = withoutKey(found, rest)
  return isTable(inner) && Object.keys(inner).length === 0 ? others : { ...others, [first]: inner }
}

function valueAt(document: unknown, keys: Keys): unknown {
  let found = document
  for (const [i, key] of keys.entries()) {
    if (!isTable(found)) throw new HostConfigError(`has a "${keys.slice(0, i).join('.')}" that is not an object`)
    if (!Object.hasOwn(found, key)) return undefined
    found = found[key]
  }
  return found
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As plain objects: the parser makes objects without a prototype, which equal no others. */
function parsed(text: string): unknown {
  try {
    return plain(parse(text))
  } catch (error) {
    const [why] = error instanceof Error ? error.message.split('\n') : [String(error)]
    throw new HostConfigError(`cannot be changed (${why})`, { cause: error })
  }
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isTable(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}
