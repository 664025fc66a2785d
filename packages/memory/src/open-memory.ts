/** Memory of one store, for one owner, in one project: all its operations. */
import { contentHash, type DerivedMaintenance, type Tier } from '@agentm/storage-seam'
import { checkStoreMarker } from './notes/check-store-marker.ts'
import { type CaptureRequest, type CaptureResult, captureNote } from './notes/capture-note.ts'
import type { AheadReport } from './embedders/embed-ahead.ts'
import { type EmbedOptions, embedPending, type EmbedReport } from './embedders/embed-pending.ts'
import { editNote, type EditRequest, type EditResult } from './notes/edit-note.ts'
import { findNote } from './notes/find-note.ts'
import { followOn } from './index/follow-on.ts'
import { forgetNode, isForgettableNode, restoreNode } from './nodes/forget-node.ts'
import { forgetNote, type ForgetOptions, type ForgetResult } from './notes/forget-note.ts'
import { knownNotes } from './index/known-notes.ts'
import type { MemoryContext } from './memory-context.ts'
import type { MemoryEmbedder } from './embedders/memory-embedder.ts'
import { contextOf, type MemoryOptions } from './memory-options.ts'
import { NoteIndex } from './index/note-index.ts'
import { offerSave, type OfferOptions, type OfferResult } from './notes/offer-save.ts'
import { type MemoryReader, readerOf } from './open-memory-reader.ts'
import type { AcceptOptions, CandidateChange, InboxAnswer, RejectResult } from './inbox/inbox.ts'
import type { InboxCandidate } from './inbox/pure/candidate.ts'
import { analyzedFile } from './index/analyzed-file.ts'
import type { Author } from './notes/pure/shown.ts'
import { type ReindexOptions, reindexTier } from './index/reindex-tier.ts'
import { restoreNote, type RestoreOptions, type RestoreResult } from './notes/restore-note.ts'
import type { ImportOptions, NoteImport } from './notes/note-import.ts'
import { saveNote, type SaveRequest, type SaveResult } from './notes/save-note.ts'
import { supersedeNote, type SupersedeRequest, type SupersedeResult } from './notes/supersede-note.ts'

/**
 * Notes of one store, for one owner, in one project: save, recall, forget, restore, and the inbox.
 *
 * @example
 * ```ts
 * import { openWorkspace } from '@agentm/workspace'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const workspace = await openWorkspace({ home: await mkdtemp(path.join(tmpdir(), 'data-')) })
 * const memory = await workspace.memory()
 * const { key } = await memory.save({ kind: 'decision', title: 'Locks', text: 'The lock file lives outside the vault.' })
 * console.log((await memory.recall({ text: 'where is the lock?' })).results[0]?.key === key) // true
 * await memory.forget(key, { reason: 'moved' })
 * console.log((await memory.recall({ text: 'lock' })).results.length) // 0
 * await memory.restore(key)
 * await memory.capture({ text: 'Staging restarts at 04:00 UTC.' })
 * console.log((await memory.inbox.list()).candidates.length) // 1
 * await workspace.close()
 * ```
 */
export interface Memory extends MemoryReader, DerivedMaintenance {
  save(request: SaveRequest): Promise<SaveResult>
  capture(request: CaptureRequest): Promise<CaptureResult>
  readonly inbox: Inbox
  forget(idOrKey: string, options?: ForgetOptions): Promise<ForgetResult>
  /** Restores a forgotten note or belief, unless it was purged. */
  restore(idOrKey: string, options?: RestoreOptions): Promise<RestoreResult>
  supersede(note: string, request: SupersedeRequest): Promise<SupersedeResult>
  /** Changes the words of a note in place, if nobody changed it since it was read. No earlier version is kept. */
  edit(note: string, request: EditRequest): Promise<EditResult>
  offerSave(candidate: SaveRequest, options?: OfferOptions): Promise<OfferResult>
  /** Begins an import of entries of other programs. */
  openImport(options: ImportOptions): Promise<NoteImport>
  /** Rebuilds a derived tier. */
  reindex(tier: Tier, options?: ReindexOptions): Promise<void>
  /** Computes missing vectors. */
  embedPending(options?: EmbedOptions): Promise<EmbedReport>
  /** Computes all vectors of an embedder that is to be used next, into its cache. Recall goes on with the present one. */
  embedAhead(embedder: MemoryEmbedder, options?: Pick<EmbedOptions, 'signal' | 'onProgress'>): Promise<AheadReport>
}

/** Proposals that wait for a person, named by their name or key. */
export interface Inbox {
  list(request?: { readonly rejected?: boolean }): Promise<InboxAnswer>
  find(candidate: string): Promise<InboxCandidate>
  accept(candidate: string, options: AcceptOptions): Promise<SaveResult>
  edit(candidate: string, change: Partial<CandidateChange>): Promise<InboxCandidate>
  reject(candidate: string, options: { readonly by?: Author; readonly reason?: string }): Promise<RejectResult>
}

/**
 * Opens memory over a backend and an index. Most programs use `openWorkspace` instead, which opens both.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { createInMemoryStore, createInMemoryTables } from '@agentm/conformance/logs'
 * import { openMemory, semanticMemory } from '@agentm/memory'
 *
 * const backend = new InMemoryBackend()
 * await backend.write(backend.resolve('_meta/agentm-store.json'), '{ "id": "s1" }')
 * const { log, recall } = createInMemoryStore({ concepts: [semanticMemory] })
 * const index = createInMemoryTables()
 * const memory = openMemory({ backend, storeId: 's1', owner: 'ada', index, recall, log, project: { slug: 'acme' } })
 * const { outcome } = await memory.save({ kind: 'decision', title: 'Locks', text: 'Locks live outside the vault.' })
 * console.log(outcome) // created
 * ```
 */
export function openMemory(options: MemoryOptions): Memory {
  const context = contextOf(options)
  const index = new NoteIndex(context)
  const follow = followOn(index)
  // If the drive is not mounted, a note written into its empty directory would be lost.
  const isThere = async () => checkStoreMarker(context.backend, context.storeId)
  const save = async (request: SaveRequest) => {
    await isThere()
    const saved = await saveNote(context, request, knownNotes(context, index))
    await index.refresh(saved.key)
    await embedPending(context, afterWrite)
    return saved
  }
  return {
    ...readerOf(context, index, async ({ enough, partitions, onProgress }) =>
      follow({ enough, partitions, ...(onProgress && { onProgress }) }),
    ),
    save,
    capture: async (request) => {
      await isThere()
      return captureNote(context, request, knownNotes(context, index))
    },
    inbox: inboxOf(context, index, isThere),
    forget: async (idOrKey, how = {}) => {
      if (isForgettableNode(idOrKey)) return forgetNode(context, idOrKey, how)
      await isThere()
      return forget(context, index, await findNote(context, index, idOrKey), how)
    },
    restore: async (idOrKey, how = {}) => {
      if (isForgettableNode(idOrKey)) return restoreNode(context, idOrKey, how)
      await isThere()
      const done = await restoreNote(context, await findNote(context, index, idOrKey), how)
      await index.refresh(done.key ?? idOrKey)
      await embedPending(context, afterWrite)
      return done
    },
    supersede: async (note, request) => {
      await isThere()
      const key = await findNote(context, index, note)
      const done = await supersedeNote(context, key, request)
      for (const changed of new Set([key, done.key])) await index.refresh(changed)
      await embedPending(context, afterWrite)
      return done
    },
    edit: async (note, request) => {
      await isThere()
      const done = await editNote(context, await findNote(context, index, note), request)
      await index.refresh(done.key)
      await embedPending(context, afterWrite)
      return done
    },
    offerSave: async (candidate, how = {}) => offerSave(candidate, how, save),
    async openImport(how) {
      await isThere()
      const { openNoteImport } = await import('./notes/note-import.ts')
      return openNoteImport(context, how, async () => {
        await index.follow()
        await embedPending(context, afterWrite)
      })
    },
    reindex: async (tier, how) => reindexTier(context, index, tier, how),
    embedPending: async (how) => embedPending(context, how),
    embedAhead: async (embedder, how) =>
      (await import('./embedders/embed-ahead.ts')).embedAhead(context, embedder, how),
  }
}

/** Loaded when it is first used, because few processes use the inbox. */
function inboxOf(context: MemoryContext, index: NoteIndex, isThere: () => Promise<void>): Inbox {
  const opened = async () => {
    await isThere()
    return import('./inbox/inbox.ts')
  }
  return {
    list: async (request) => (await opened()).listInbox(context, request),
    find: async (candidate) => (await opened()).findCandidate(context, candidate),
    accept: async (candidate, options) => {
      const saved = await (await opened()).acceptCandidate(context, candidate, options, knownNotes(context, index))
      await index.refresh(saved.key)
      await embedPending(context, afterWrite)
      return saved
    },
    edit: async (candidate, change) => (await opened()).editCandidate(context, candidate, change),
    reject: async (candidate, options) => (await opened()).rejectCandidate(context, candidate, options),
  }
}

/**
 * A write computes the vector of its note and a few missing ones. A large backlog is left to background work. A person waits for it, so an
 * embedder that does not answer is waited for once, and then left alone for a while.
 */
const afterWrite: EmbedOptions = { limit: 64, budgetMs: 2000, patienceMs: 10_000 }

async function forget(
  context: MemoryContext,
  index: NoteIndex,
  key: string,
  options: ForgetOptions,
): Promise<ForgetResult> {
  const { result, texts } = await forgetNote(context, key, options)
  if (options.purge === true) {
    await index.drop([key], { erase: true })
    const { storeId, embedder } = context
    const files = await Promise.all(texts.map((text) => analyzedFile({ key, text, revision: undefined }, { storeId })))
    const stretches = files.flatMap((file) => file.stretches)
    await embedder?.forget?.(stretches.map((text) => contentHash(text.toWellFormed())))
  }
  await index.refresh(key)
  return result
}
