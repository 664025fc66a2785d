/** Rows of claude-mem: one note per observation, and one per summary of a session. */
import type { Read } from '../import-entry.ts'
import { isObject, type JsonObject, textIn, textsIn, timeIn } from './json-fields.ts'

export function observationEntry(row: JsonObject): Read {
  const place = `observation ${String(row['id'])}`
  const title = textIn(row, 'title', 'subtitle')
  const facts = textsIn(row, 'facts').map((fact) => `- ${fact.trim()}`)
  const files = [...new Set([...textsIn(row, 'files_read'), ...textsIn(row, 'files_modified')])]
  const parts = [
    title === undefined ? undefined : `# ${title}`,
    title === textIn(row, 'subtitle') ? undefined : textIn(row, 'subtitle'),
    textIn(row, 'narrative', 'text'),
    facts.length === 0 ? undefined : facts.join('\n'),
    files.length === 0 ? undefined : `Files: ${files.map((file) => `\`${file}\``).join(', ')}`,
  ]
  const text = parts.filter((part) => part !== undefined).join('\n\n')
  if (text === '') return { place, why: 'the observation is empty' }
  return {
    ...factsOf(row, 'observation'),
    kind: textIn(row, 'type') ?? 'observation',
    title: title ?? text.split('\n')[0] ?? '',
    text,
    tags: textsIn(row, 'concepts'),
  }
}

const summaryParts = [
  ['Investigated', 'investigated'],
  ['Learned', 'learned'],
  ['Completed', 'completed'],
  ['Next steps', 'next_steps'],
  ['Notes', 'notes'],
] as const

export function summaryEntry(row: JsonObject): Read {
  const request = textIn(row, 'request')
  const parts = summaryParts.flatMap(([heading, name]) => {
    const part = textIn(row, name)
    return part === undefined ? [] : [`## ${heading}\n\n${part}`]
  })
  if (parts.length === 0) return { place: `summary ${String(row['id'])}`, why: 'the summary is empty' }
  const title = request ?? 'Session'
  return {
    ...factsOf(row, 'summary'),
    kind: 'session-summary',
    title,
    text: [`# ${title.split('\n')[0] ?? ''}`, ...parts].join('\n\n'),
    tags: [],
  }
}

/** Row numbers repeat on other machines; together with the session they do not. */
function factsOf(row: JsonObject, what: string) {
  const at = timeIn(row, 'created_at_epoch', 'created_at')
  const project = textIn(row, 'merged_into_project', 'project')
  return {
    id: `${what}/${textIn(row, 'memory_session_id', 'sdk_session_id') ?? ''}/${String(row['id'])}`,
    writtenBy: 'agent' as const,
    ...(at === undefined ? {} : { at }),
    ...(project === undefined ? {} : { project }),
  }
}

/** Whether the tables are those of claude-mem. */
export function isClaudeMem(tables: readonly unknown[]): boolean {
  const names = tables.filter(isObject).map((row) => row['name'])
  return names.includes('observations') && names.includes('sdk_sessions')
}
