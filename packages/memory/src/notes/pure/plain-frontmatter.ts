/**
 * The block of fields at the head of a note, where it is as plain as programs write it: one field a line, its value a word, a
 * text in quotes, or a list of words in brackets. What it says of such a block is what a YAML parser says; of any other it
 * says nothing.
 */
export interface Frontmatter {
  /** By name, in order. A number stays the text it was written as. */
  readonly fields: ReadonlyMap<string, unknown>
  /** Everything behind the block, byte for byte. */
  readonly body: string
  /** Why YAML refused the block, where it did. */
  readonly problem: string | undefined
}

interface Block {
  /** Up to and with the first fence. */
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

// Begins with nothing that means something to YAML, and holds nothing that ends a value there.
const plainText = /^(?!.*(?:: | #|:$))[\p{L}\p{N}_./+][^\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]*$/u
const listText = /^(?!.* #)[\p{L}\p{N}_./+][^,[\]{}:\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]*$/u
const quoted = /^'((?:[^'\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]|'')*)'$/u
const doubleQuoted = /^"([^"\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF\uFFFE\uFFFF]*)"$/u

/** `undefined` where it is not plain. A number stays the text it was written as. */
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
