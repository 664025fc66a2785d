/** Whether a file of an export may be put back as a note: Markdown, and nothing that belongs to programs or to other devices. */
import { beliefsHome, exclusionOf } from '@agentm/memory/notes'

/** Notes in the inbox and in the archive are put back, too. */
export function isExportedKey(key: string): boolean {
  if (key === beliefsHome || key.startsWith(`${beliefsHome}/`)) return false
  const parts = key.split('/')
  return parts.every((_, i) => {
    const exclusion = exclusionOf(parts.slice(0, i + 1).join('/'), { isDirectory: i < parts.length - 1 })
    return exclusion === undefined || exclusion === 'inbox' || exclusion === 'archive'
  })
}

/** Whether sessions begin with the note. Only a person can decide that. */
export function isAlwaysLoaded(key: string): boolean {
  return key.split('/').includes('_always-load')
}
