/**
 * The stretches of notes that wait for a vector, as a recall store lists waiting items. The index keeps no text, so the notes are read
 * again. A note that changed meanwhile waits until it is indexed.
 */
import type { PendingItem, RecallStore } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import { readIfPresent } from '../notes/read-if-present.ts'
import { isUnreadable } from '../notes/is-unreadable.ts'
import { splitHashes } from './note-change.ts'
import { analyzedFile } from './analyzed-file.ts'
import { isActive } from './pure/indexed-note.ts'
import { embedderPlace, vectorRow } from './note-vectors.ts'

export type VectorBacklog = Pick<RecallStore, 'pending' | 'putVectors'>

interface Waiting {
  readonly note: number
  readonly key: string
  readonly hash: string
  readonly stretches: readonly { readonly at: number; readonly hash: string }[]
  /** Read when they are first needed. */
  texts?: readonly string[]
}

export function noteBacklog(context: MemoryContext, dimensions: number): VectorBacklog {
  const { corpus, owner } = context
  const known = new Map<string, { readonly note: number; readonly stretch: number; readonly hash: string }>()
  // Computed once, because it looks at every note. Notes that others add meanwhile are listed by the next backlog.
  let queue: Waiting[] | undefined
  return {
    async pending({ embedder, limit = 100 }) {
      queue ??= [...waitingNotes(context, { name: embedder, dimensions })]
      const items: PendingItem[] = []
      for (const each of queue) {
        if (items.length >= limit) break
        const texts = (each.texts ??= await stretchesNow(context, each))
        for (const { at, hash } of each.stretches) {
          const text = texts[at]
          const id = `${each.key}#${at}`
          known.set(`${id}@${each.note}`, { note: each.note, stretch: at, hash })
          if (text !== undefined) items.push({ id, owner, text, revision: each.note })
        }
      }
      return { items: items.slice(0, limit), total: queue.reduce((sum, { stretches }) => sum + stretches.length, 0) }
    },
    async putVectors(embedder, vectors) {
      const made = vectors.flatMap(({ id, revision, values }) => {
        const stretch = known.get(`${id}@${revision}`)
        return stretch === undefined ? [] : [{ ...stretch, values }]
      })
      if (made.length === 0) return 0
      const done = new Set(made.map(({ note, stretch }) => vectorRow(0, note, stretch)))
      queue = queue?.flatMap((each) => {
        const stretches = each.stretches.filter(({ at }) => !done.has(vectorRow(0, each.note, at)))
        return stretches.length === 0 ? [] : [{ ...each, stretches }]
      })
      return corpus.notes.putVectors(embedder, made)
    },
  }
}

/** The notes with a stretch that has no vector of this embedder. */
function waitingNotes(
  { corpus }: MemoryContext,
  embedder: { readonly name: string; readonly dimensions: number },
): readonly Waiting[] {
  return corpus.notes.read((view) => {
    const place = embedderPlace(view.state, embedder)
    const made =
      place === -1
        ? new Set<number>()
        : new Set(view.rows.numbers('vectors', vectorRow(place, 0, 0), vectorRow(place + 1, 0, 0)))
    const mask = view.mask(({ status }) => isActive(status))
    const waiting: Waiting[] = []
    for (let at = 0; at < mask.length; at++) {
      if (mask[at] !== 1) continue
      const note = view.numberAt(at)
      const stretches = splitHashes(view.rows.get('stretches', note)).flatMap((hash, i) =>
        made.has(vectorRow(Math.max(0, place), note, i)) ? [] : [{ at: i, hash }],
      )
      const facts = stretches.length === 0 ? undefined : view.facts(at)
      if (facts !== undefined) waiting.push({ note, key: facts.key, hash: facts.hash, stretches })
    }
    return waiting
  })
}

async function stretchesNow(
  { backend, places, storeId }: MemoryContext,
  { key, hash }: Waiting,
): Promise<readonly string[]> {
  try {
    const text = await readIfPresent(backend, places.at(key))
    if (text === undefined || contentHash(text) !== hash) return []
    return (await analyzedFile({ key, text, revision: undefined }, { storeId })).stretches
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return []
  }
}
