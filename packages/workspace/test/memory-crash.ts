import { type BackendName, memoryWorld } from './memory-world.ts'

// Long enough to be indexed in several pieces.
const text = Array.from({ length: 9 }, (_, i) => `- The quirk says line ${i}.`).join('\n')
const save = { kind: 'fix', title: 'Quirk', text }
const key = 'projects/acme/fix/quirk.md'

/** How many things a save asks of its stores, one after the other. */
export async function stepsOfSave(kind: BackendName): Promise<number> {
  const { run, close } = await memoryWorld(kind)
  try {
    return (await run({ saves: [save] })).calls
  } finally {
    await close()
  }
}

/** Kills a saver at one step, then looks with the next command. */
export async function crashAt(kind: BackendName, { dieAt, when }: { dieAt: number; when: 'before' | 'after' }) {
  const { run, open, backend, close } = await memoryWorld(kind)
  try {
    const { killed, saved, errors } = await run({ saves: [save], dieAt, when })
    const { memory } = await open()
    const isThere = await backend.exists(backend.resolve(key))
    const { results } = await memory.recall({ text: 'what does the quirk say?' })
    const { changed } = (await memory.recall({ text: 'quirk' })).freshness
    const isWhole = changed === 0 && (isThere ? results[0]?.text === text : results.length === 0)
    return { died: killed && errors === '', isWhole, isLost: saved.includes(key) && !isThere, isThere }
  } finally {
    await close()
  }
}
