/**
 * Reads a block of fields in the plain form that programs write: one field per line, whose value is a word, a quoted text or a list
 * of words in brackets. The result is the same as with a YAML parser. For any other block it returns `undefined`.
 */
export interface Frontmatter {
  /** The fields by name, in order. A number stays text. */
  readonly fields: ReadonlyMap<string, unknown>
  /** Everything after the block, byte for byte. */
  readonly body: string
  /** Why the block is not valid YAML, if it is not. */
  readonly problem: string | undefined
}

interface Block {
  /** The text up to and including the first fence. */
  readonly opening: string
  readonly yaml: string
  /** The second fence and its line end. */
  readonly closing: string
  readonly body: string
}

/** `undefined` if the block needs a YAML parser. */
export function plainFrontmatter(text: string): Frontmatter | undefined {
  const block = blockOf(text)
  if (block === undefined) return { fields: new Map(), body: text.replace(/^\uFEFF/, ''), problem: undefined }
  const fields = plainFields(block.yaml)
  return fields === undefined ? undefined : { fields, body: block.body, problem: undefined }
}

export function blockOf(text: string): Block | undefined {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0]
  if (opening === undefined) return undefined
  const fence = /^---[ \t]*(?:\r?\n|$)/gm
  fence.lastIndex = opening.length
  const found = fence.exec(text)
  if (found === null) return undefined
  return {
    opening,
    yaml: text.slice(opening.length, found.index),
    closing: found[0],
    body: text.slice(found.index + found[0].length),
  }
}

const fieldLine = /^([A-Za-z_][\w-]*):(?: +(.*?))? *$/

export function plainFields(yaml: string): Map<string, unknown> | undefined {
  const fields = new Map<string, unknown>()
  for (const line of yaml.split(/\r?\n/)) {
    if (line === '') continue
    const [, name, raw = ''] = fieldLine.exec(line) ?? []
    const value = name === undefined ? undefined : plainValue(raw)
    if (name === undefined || value === undefined) return undefined
    fields.set(name, value)
  }
  return fields
}

// Starts with no character that has a meaning in YAML, and contains none that ends a value.
const plainText = /^(?!.*(?:: | #|:$))[\p{L}\p{N}_./+][^\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]*$/u
const listText = /^(?!.* #)[\p{L}\p{N}_./+][^,[\]{}:\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]*$/u
const quoted = /^'((?:[^'\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]|'')*)'$/u
const doubleQuoted = /^"([^"\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]*)"$/u

/** `undefined` if the value is not plain. A number stays text. */
function plainValue(raw: string): unknown {
  if (raw === '') return null
  if (raw.startsWith('[')) return plainList(raw)
  const inQuotes = quoted.exec(raw)?.[1]?.replaceAll("''", "'") ?? doubleQuoted.exec(raw)?.[1]
  if (inQuotes !== undefined) return inQuotes
  return plainText.test(raw) ? wordValue(raw) : undefined
}

function plainList(raw: string): readonly unknown[] | undefined {
  if (!raw.endsWith(']')) return undefined
  const inside = raw.slice(1, -1).replaceAll(/^ +| +$/g, '')
  if (inside === '') return []
  const items = inside.split(/ *, */)
  return items.every((item) => listText.test(item)) ? items.map(wordValue) : undefined
}

function wordValue(word: string): unknown {
  if (/^(?:true|True|TRUE)$/.test(word)) return true
  if (/^(?:false|False|FALSE)$/.test(word)) return false
  return /^(?:null|Null|NULL)$/.test(word) ? null : word
}
