/** Entries of the host's own file as the page shows them: a call and its result are one row. Nothing of them was redacted or shortened before. */
import { redactSecrets, redactValue } from '@agentm/nodes'
import type { EntryRow } from '../../contract/sessions.ts'
import { shownText, shownValue } from '../../pure/shown-value.ts'
import type { StoredEntry } from '../shelves.ts'

const longest = 4_000

export function entryRows(entries: readonly StoredEntry[]): readonly EntryRow[] {
  const rows: EntryRow[] = []
  const calls = new Map<string, number>()
  for (const entry of entries) {
    if (entry.type === 'result') {
      const at = calls.get(entry.call)
      const call = at === undefined ? undefined : rows[at]
      if (at !== undefined && call !== undefined) rows[at] = withResult(call, entry)
      continue
    }
    const row = rowOf(entry)
    if (row === undefined) continue
    if (entry.type === 'call') calls.set(entry.id, rows.length)
    rows.push(row)
  }
  return rows
}

function withResult(call: EntryRow, { text, isError, exitCode }: StoredEntry & { readonly type: 'result' }): EntryRow {
  const hasFailed = isError || (exitCode ?? 0) !== 0
  return { ...call, result: shown(text), ...(hasFailed && { hasFailed }) }
}

function rowOf(entry: StoredEntry): EntryRow | undefined {
  const { record, at, agent } = entry
  const place = { record, ...(at !== undefined && { at }), ...(agent !== undefined && { agent }) }
  switch (entry.type) {
    case 'prompt':
    case 'context':
    case 'reply':
    case 'thought':
    case 'error':
      return entry.text.trim() === '' ? undefined : { ...place, what: entry.type, text: shown(entry.text) }
    case 'call':
      return { ...place, what: 'call', text: '', tool: entry.tool, input: shownValue(redactValue(entry.input)) }
    case 'compaction':
      return { ...place, what: 'compaction', text: shown(entry.summary ?? '') }
    case 'rewind':
      return { ...place, what: 'rewind', text: '' }
    case 'usage':
      return { ...place, what: 'usage', text: usageText(entry) }
    case 'unknown':
      return { ...place, what: 'unknown', text: `${entry.kind}, ${entry.length} characters` }
    default:
      return undefined
  }
}

function usageText({
  model,
  inputTokens = 0,
  outputTokens = 0,
  cachedTokens = 0,
}: StoredEntry & { readonly type: 'usage' }): string {
  const cached = cachedTokens === 0 ? '' : `, ${cachedTokens} of them from the cache`
  return `${inputTokens} tokens in${cached}, ${outputTokens} out${model === undefined ? '' : ` (${model})`}`
}

function shown(text: string): string {
  // A secret at the cut would no longer be recognised, so the text is redacted first; of a very long one, only its beginning is looked at.
  return shownText(redactSecrets(text.slice(0, 20 * longest).toWellFormed()), longest)
}
