/**
 * Names of files that are still being written. Ours are short whatever the target is called, hidden, and of a kind sync
 * programs leave alone. They carry a tag of the lock they were written under: under that lock nobody else is writing,
 * so whatever carries its tag and is not ours was left by a dead writer.
 */
const ours = /^\.~agentm-([0-9a-z]{10})-[0-9A-Za-z-]{1,64}\.tmp$/
const python = /^.+\.\d+\.[0-9a-f]{32}\.tmp$/

/** The tag of a file written under no lock. */
export const unlockedTag = 'unlocked00'

export function temporaryName(tag: string, id: string): string {
  return `.~agentm-${tag}-${id}.tmp`
}

/**
 * Ours, and the Python implementation's `<name>.<pid>.<32 hex>.tmp`. Its older `<name>.tmp` may be somebody's own file.
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
 * When a remnant may go: `now` for the holder of the lock it was written under, `old` when only age can tell. A plain
 * `<name>.tmp` may be somebody's own file, so it is never removed.
 */
export function remnantKind(name: string, tags: readonly string[]): 'now' | 'old' | undefined {
  const match = ours.exec(name)
  if (match !== null) return tags.includes(match[1] ?? '') ? 'now' : 'old'
  return python.test(name) ? 'old' : undefined
}

/** Only of ours are some directories: those through which names are removed. */
export function mayBeDirectory(name: string): boolean {
  return ours.test(name)
}
