/** What is chosen in the address, as the question to the server and as the command for a terminal. */
import { shellWord } from '../../pure/shell-word.ts'

const asked = ['project', 'kind', 'newer', 'status'] as const

/** The query of `/api/notes` for what is chosen. */
export function listQuery(chosen: URLSearchParams): string {
  const query = new URLSearchParams()
  for (const name of asked) if ((chosen.get(name) ?? '') !== '') query.set(name, chosen.get(name) ?? '')
  for (const tag of chosen.getAll('tag')) query.append('tag', tag)
  return query.toString()
}

export function listCommand(chosen: URLSearchParams): string {
  const options = asked.flatMap((name) => {
    const value = chosen.get(name) ?? ''
    return value === '' ? [] : [`--${name} ${shellWord(value)}`]
  })
  const tags = chosen.getAll('tag').map((tag) => `--tag ${shellWord(tag)}`)
  return ['notes', ...options, ...tags].join(' ')
}

export function recallCommand(chosen: URLSearchParams): string {
  const options = (['of', 'kind', 'project', 'floor'] as const).flatMap((name) => {
    const value = chosen.get(name) ?? ''
    return value === '' ? [] : [`--${name} ${shellWord(value)}`]
  })
  return ['recall', '--explain', ...options, shellWord(chosen.get('q') ?? '')].join(' ')
}

/** The query of `/api/recall` for what is chosen. */
export function recallQuery(chosen: URLSearchParams): string {
  const query = new URLSearchParams()
  for (const name of ['q', 'of', 'kind', 'project', 'floor'])
    if ((chosen.get(name) ?? '') !== '') query.set(name, chosen.get(name) ?? '')
  return query.toString()
}

/** With the tag, or without it if it was there. */
export function withTag(chosen: URLSearchParams, tag: string): string {
  const next = new URLSearchParams(chosen)
  const tags = next.getAll('tag')
  next.delete('tag')
  for (const each of tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag]) next.append('tag', each)
  const text = next.toString()
  return text === '' ? '/memory' : `/memory?${text}`
}
