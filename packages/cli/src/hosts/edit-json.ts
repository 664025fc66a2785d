/**
 * Adds our parts to a JSON file of a host, and takes them out again. Everything else is kept as it is written, comments included.
 * A file that cannot be parsed is refused, and so is a different server with our name.
 */
import { isDeepStrictEqual } from 'node:util'
import { applyEdits, modify, parse, type ParseError, printParseErrorCode } from 'jsonc-parser'
import { type Edited, HostConfigError, type HostPart, type Keys, type Step } from './host-file.ts'
import { withoutPlace } from './pure/without-place.ts'

export function connectJson(text: string | undefined, parts: readonly HostPart[]): Edited {
  return edited(text, parts, added)
}

/** The text is `undefined` if nothing is left in the file. */
export function disconnectJson(text: string | undefined, parts: readonly HostPart[]): Edited {
  if (text === undefined) return { text, steps: parts.flatMap((part) => stepOf(part, 'absent')) }
  // Settings last: they go when nothing else is left.
  const ordered = [...parts.filter(({ kind }) => kind !== 'setting'), ...parts.filter(({ kind }) => kind === 'setting')]
  const done = edited(text, ordered, removed)
  const isEmptied = done.text !== text && /^\uFEFF?\s*\{\s*\}\s*$/.test(done.text ?? '')
  return isEmptied ? { ...done, text: undefined } : done
}

type Part<Kind extends HostPart['kind']> = Extract<HostPart, { readonly kind: Kind }>
type Change = readonly [text: string, outcome: Step['outcome']]

function edited(
  text: string | undefined,
  parts: readonly HostPart[],
  change: (text: string, part: HostPart) => Change,
): Edited {
  const bom = text?.startsWith('\uFEFF') === true ? '\uFEFF' : ''
  const before = text === undefined || text.trim() === '' ? '{}\n' : text.slice(bom.length)
  let now = before
  const steps: Step[] = []
  for (const part of parts) {
    const [next, outcome] = change(now, part)
    now = next
    steps.push(...stepOf(part, outcome))
  }
  return { text: now === before ? text : bom + now, steps }
}

function stepOf(part: HostPart, outcome: Step['outcome']): readonly Step[] {
  return part.kind === 'setting' ? [] : [{ name: part.name, outcome }]
}

function added(text: string, part: HostPart): Change {
  if (part.kind === 'setting')
    return isDeepStrictEqual(parsed(text), {}) ? [written(text, part.keys, part.value), 'added'] : [text, 'present']
  return part.kind === 'entry' ? entryAdded(text, part) : itemAdded(text, part)
}

function entryAdded(text: string, { keys, value, ours }: Part<'entry'>): Change {
  const found = valueAt(text, keys)
  if (found === undefined) return [written(text, keys, value), 'added']
  if (isDeepStrictEqual(found, value)) return [text, 'present']
  if (isOneOf(withoutPlace(found), ours)) return [written(text, keys, value), 'replaced']
  throw new HostConfigError(`already has a server "${keys.at(-1)}" that is started in another way`)
}

function itemAdded(text: string, { keys, value, ours, mark }: Part<'item'>): Change {
  const list = listAt(text, keys)
  if (list === undefined) return [written(text, keys, [value]), 'added']
  if (isOneOf(value, list)) return [text, 'present']
  const at = list.findIndex((item) => isOneOf(item, ours))
  if (at >= 0) return [written(text, [...keys, at], value), 'replaced']
  if (list.some((item) => isMarked(item, mark))) return [text, 'kept']
  return [written(text, [...keys, list.length], value, { isArrayInsertion: true }), 'added']
}

function removed(text: string, part: HostPart): Change {
  if (part.kind === 'setting')
    return isOnly(text, part) ? [written(text, part.keys, undefined), 'removed'] : [text, 'present']
  return part.kind === 'entry' ? entryRemoved(text, part) : itemRemoved(text, part)
}

function entryRemoved(text: string, { keys, ours }: Part<'entry'>): Change {
  const found = valueAt(text, keys)
  if (found === undefined) return [text, 'absent']
  if (!isOneOf(withoutPlace(found), ours)) return [text, 'kept']
  return [withoutEmpty(written(text, keys, undefined), keys), 'removed']
}

function itemRemoved(text: string, { keys, ours, mark }: Part<'item'>): Change {
  let now = text
  for (let list = listAt(now, keys) ?? []; ; list = listAt(now, keys) ?? []) {
    const at = list.findIndex((item) => isOneOf(item, ours))
    if (at < 0) break
    now = written(now, [...keys, at], undefined)
  }
  const isKept = (listAt(now, keys) ?? []).some((item) => isMarked(item, mark))
  if (now === text) return [text, isKept ? 'kept' : 'absent']
  return [withoutEmpty(now, [...keys, 0]), isKept ? 'kept' : 'removed']
}

/** Objects and lists that held nothing but ours go with it. */
function withoutEmpty(text: string, path: readonly (string | number)[]): string {
  const parent = path.slice(0, -1)
  if (parent.length === 0) return text
  const found = inside(parsed(text), parent)
  const isEmpty = typeof found === 'object' && found !== null && Object.keys(found).length === 0
  return isEmpty ? withoutEmpty(written(text, parent, undefined), parent) : text
}

function isOnly(text: string, { keys, value }: Part<'setting'>): boolean {
  return isDeepStrictEqual(parsed(text), { [keys[0]]: value })
}

function isOneOf(value: unknown, values: readonly unknown[]): boolean {
  return values.some((one) => isDeepStrictEqual(value, one))
}

function isMarked(item: unknown, mark: string): boolean {
  return JSON.stringify(item).includes(mark)
}

function written(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
  how: { isArrayInsertion?: boolean } = {},
) {
  return applyEdits(text, modify(text, [...path], value, { formattingOptions: formattingOf(text), ...how }))
}

function formattingOf(text: string) {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol }
}

function listAt(text: string, keys: Keys): readonly unknown[] | undefined {
  const found = valueAt(text, keys)
  if (found === undefined || Array.isArray(found)) return found
  throw new HostConfigError(`has a "${keys.join('.')}" that is not a list`)
}

/** `undefined` where it is absent. Refuses to look into something that is not an object. */
function valueAt(text: string, keys: Keys): unknown {
  let found = parsed(text)
  for (const [i, key] of keys.entries()) {
    if (!isTable(found))
      throw new HostConfigError(
        i === 0 ? 'does not contain an object' : `has a "${keys.slice(0, i).join('.')}" that is not an object`,
      )
    if (!Object.hasOwn(found, key)) return undefined
    found = found[key]
  }
  return found
}

function inside(document: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (isTable(found) || Array.isArray(found) ? Reflect.get(found, key) : undefined),
    document,
  )
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return found
  const line = text.slice(0, first.offset).split('\n').length
  throw new HostConfigError(`is not valid JSON (${printParseErrorCode(first.error)} in line ${line})`)
}
