/** Lists conflict copies: a sync program makes one when a file was changed in two places. Only a person can tell which is right. */
import { oneLine } from '@agentm/memory/shown'
import { conflictCopy, type Locator, type StorageBackend } from '@agentm/storage-seam'
import type { Command } from '../command.ts'

interface Pair {
  readonly copy: string
  readonly of: string
  readonly family: string
}

export const conflicts: Command = {
  summary: 'list conflict copies: a sync program makes one when a file was changed in two places',
  details:
    'This command changes and deletes nothing. Compare each pair, move what is right into the original, then delete the copy.',
  async run(call) {
    const { backend } = await (await call.reader()).selected()
    const pairs = await pairsBelow(backend, backend.resolve())
    const text =
      pairs.length === 0
        ? 'No conflict copies.'
        : pairs.map(({ copy, of, family }) => `${oneLine(copy)}\n  is a copy of ${oneLine(of)} (${family})`).join('\n')
    return { text, data: { pairs } }
  },
}

async function pairsBelow(backend: StorageBackend, directory: Locator): Promise<Pair[]> {
  const children = await backend.list(directory)
  const names = new Set(children.map(({ name }) => name))
  const here = children.flatMap((copy) => {
    const found = conflictCopy(copy.name, names)
    return found === undefined
      ? []
      : [{ copy: copy.key, of: directory.child(found.original).key, family: found.family }]
  })
  const below: Pair[] = []
  for (const child of children) if (await isDirectory(backend, child)) below.push(...(await pairsBelow(backend, child)))
  return [...here, ...below]
}

/** A link out of the store is nobody's conflict copy, and is not followed. */
async function isDirectory(backend: StorageBackend, at: Locator): Promise<boolean> {
  try {
    return (await backend.info(at)).isDir
  } catch {
    return false
  }
}
