/**
 * Names of files that are still being written. Ours are short whatever the target is called, hidden, and ignored by sync programs. Each
 * contains a tag of the lock that its writer held. Only one process writes under a lock, so the holder knows that every other file with
 * this tag was left by a dead writer.
 */
const ours = /^\.~agentm-([0-9a-z]{10})-[0-9A-Za-z-]{1,64}\.tmp$/
const python = /^.+\.\d+\.[0-9a-f]{32}\.tmp$/

/** The tag of a file that is written without a lock. */
export const unlockedTag = 'unlocked00'

export function temporaryName(tag: string, id: string): string {
  return `.~agentm-${tag}-${id}.tmp`
}

/**
 * True for our temporary names and for those of the Python implementation, `<name>.<pid>.<32 hex>.tmp`. The older Python form `<name>.tmp`
 * does not count, because a person may have made such a file.
 *
 * @example
 * ```ts
 * import { isTemporaryName } from '@agentm/vault-lock'
 *
 * console.log(isTemporaryName('note.md')) // false
 * ```
 */
export function isTemporaryName(name: string): boolean {
  return name.endsWith('.tmp') && (ours.test(name) || python.test(name))
}

/**
 * When a remnant may be deleted: `now` by the holder of the lock it was written under, `old` when it is old enough. A plain `<name>.tmp` is
 * never deleted, because a person may have made it.
 */
export function remnantKind(name: string, tags: readonly string[]): 'now' | 'old' | undefined {
  const match = ours.exec(name)
  if (match !== null) return tags.includes(match[1] ?? '') ? 'now' : 'old'
  return python.test(name) ? 'old' : undefined
}

/** Whether an entry with this name may be a directory. Only our own names can be: files are removed by way of such directories. */
export function mayBeDirectory(name: string): boolean {
  return ours.test(name)
}
