/**
 * Synchronises beliefs and their notes. First the changes of people are taken over: an edit becomes the belief's text, and a
 * deletion forgets it. Then active beliefs are published. The notes are made from the log alone, so publishing again gives the same
 * bytes.
 */
import { type Draft, findSecrets, type Head, isNodesError, scanHeads } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import { beliefsHome, checkStoreMarker } from '@agentm/memory/notes'
import { beliefFile, beliefSlug } from './pure/belief-file.ts'
import { isTierDropped, type LeftBehind, type Verdict, verdictOn } from './pure/belief-sync.ts'
import { semanticMemory } from '@agentm/memory'
import { readLeftBehind, writeLeftBehind } from './left-behind.ts'
import type { Publication } from './publication.ts'
import { type PublishedFile, type PublishedFiles, publishedFiles } from './published-files.ts'
import { putFile, withdrawFile } from './put-file.ts'

/** Ids of beliefs. */
export interface BeliefSync {
  readonly published: number
  readonly withdrawn: readonly string[]
  /** Beliefs whose text a person edited. */
  readonly edited: readonly string[]
  /** Beliefs whose file a person deleted or marked as deleted. */
  readonly forgotten: readonly string[]
  /** Their file is gone. A sync an hour later forgets them, and the next one with `forgetAbsent` at once. */
  readonly absent: readonly string[]
  /** Edits that were refused. They stay in their files. */
  readonly refused: readonly { readonly key: string; readonly why: string }[]
}

/** How one sync of beliefs and their files goes on. */
export interface SyncOptions {
  /** Forget beliefs whose files an earlier sync found gone, without waiting for an hour (default: false). */
  readonly forgetAbsent?: boolean
}

/**
 * Synchronises beliefs and their notes: first the edits and deletions of people are taken over, then beliefs are published.
 *
 * @example
 * ```ts
 * import { type Publication, syncBeliefs } from '@agentm/learning'
 *
 * declare const publication: Publication
 * const { published } = await syncBeliefs(publication)
 * ```
 */
export async function syncBeliefs(publication: Publication, options: SyncOptions = {}): Promise<BeliefSync> {
  // On an unmounted drive, all files seem deleted.
  await checkStoreMarker(publication.backend, publication.storeId)
  const [left, there] = [await readLeftBehind(publication), await publishedFiles(publication)]
  const sync = new Sync(publication, options, { left, there })
  await sync.takeBack()
  await sync.publish()
  await writeLeftBehind(publication, sync.left)
  return sync.report()
}

class Sync {
  readonly left: Map<string, LeftBehind>
  readonly #publication: Publication
  readonly #options: SyncOptions
  readonly #there: PublishedFiles
  readonly #now: number
  readonly #edited: string[] = []
  readonly #forgotten: string[] = []
  readonly #absent: string[] = []
  readonly #withdrawn: string[] = []
  readonly #refused: { key: string; why: string }[] = []
  #published = 0

  constructor(
    publication: Publication,
    options: SyncOptions,
    { left, there }: { readonly left: Map<string, LeftBehind>; readonly there: PublishedFiles },
  ) {
    this.#publication = publication
    this.#options = options
    this.left = left
    this.#there = there
    this.#now = (publication.now ?? Date.now)()
  }

  async takeBack(): Promise<void> {
    const heads = await this.#heads()
    const isDropped = this.#isDropped(heads)
    for (const head of heads.values()) await this.#judge(head, isDropped)
  }

  async publish(): Promise<void> {
    for (const head of (await this.#heads()).values()) {
      if (head.status === 'active' && !head.redacted && !isUnconfirmed(head)) await this.#put(head)
      else await this.#withdraw(head)
    }
  }

  report(): BeliefSync {
    return {
      published: this.#published,
      withdrawn: this.#withdrawn,
      edited: this.#edited,
      forgotten: this.#forgotten,
      absent: this.#absent,
      refused: this.#refused,
    }
  }

  async #heads(): Promise<ReadonlyMap<string, Head>> {
    const heads = new Map<string, Head>()
    const query = { owner: this.#publication.owner, concepts: [semanticMemory.name] }
    for await (const head of scanHeads(this.#publication.log, query)) heads.set(head.id, head)
    return heads
  }

  /** Individual files that are gone are never written again: that would undo what a person deleted. */
  #isDropped(heads: ReadonlyMap<string, Head>): boolean {
    const known = [...this.left.keys()].filter((id) => heads.get(id)?.status === 'active')
    const gone = known.filter((id) => !this.#there.files.has(id) && !this.#isUnreadable(id))
    return isTierDropped(known.length, gone.length)
  }

  #isUnreadable(id: string): boolean {
    return this.#there.unreadable.has(this.left.get(id)?.key ?? this.#keyOf(id))
  }

  #keyOf(id: string): string {
    return `${beliefsHome}/${this.#publication.deviceId}/${beliefSlug(id)}.md`
  }

  async #judge(head: Head, isDropped: boolean): Promise<void> {
    const [left, found] = [this.left.get(head.id), this.#there.files.get(head.id)]
    if (head.redacted || this.#isUnreadable(head.id)) return
    const said = found === undefined || found.hash === left?.hash ? [] : await this.#saidBy(head.id)
    const wait = this.#options.forgetAbsent === true ? { waitMs: 0 } : {}
    const verdict = verdictOn({ left, found, said, now: this.#now, ...wait })
    if (found !== undefined && verdict.is === 'ours') this.left.set(head.id, { key: found.key, hash: found.hash })
    if (verdict.is === 'edited' && found !== undefined) await this.#takeEdit(head, found, verdict.statement)
    if (head.status === 'active' && !(found === undefined && isDropped)) await this.#takeAbsence(head, verdict)
    if (found === undefined && isDropped) this.left.delete(head.id)
  }

  async #saidBy(id: string): Promise<readonly string[]> {
    const versions = await this.#publication.log.history(id, { owner: this.#publication.owner })
    return versions.map(({ payload }) => (typeof payload['content'] === 'string' ? payload['content'].trim() : ''))
  }

  async #takeEdit(head: Head, { key, hash }: PublishedFile, statement: string): Promise<void> {
    const why = refusalOf(statement)
    if (why !== undefined) {
      this.#refused.push({ key, why })
      return
    }
    const before = head.payload['editedFrom']
    const was = Array.isArray(before) ? before.map(String) : []
    const written = await this.#append(head, {
      payload: {
        content: statement,
        provenance: 'operator',
        status: 'active',
        confidence: 1,
        baseConfidence: 1,
        lastReinforced: new Date(this.#now).toISOString(),
        editedFrom: [...new Set([...was, String(head.payload['content'])])],
      },
      unset: ['prunedBy', 'supersededBy'],
      mutation: 'editSemanticMemory',
    })
    if (!written) return
    this.#edited.push(head.id)
    this.left.set(head.id, { key, hash })
  }

  async #takeAbsence(head: Head, verdict: Verdict): Promise<void> {
    const left = this.left.get(head.id)
    if (verdict.is === 'gone-just-now' && left !== undefined) {
      this.left.set(head.id, { ...left, absentSince: left.absentSince ?? this.#now })
      this.#absent.push(head.id)
    }
    if (verdict.is !== 'deleted') return
    const payload = { status: 'pruned', prunedBy: 'operator' }
    if (await this.#append(head, { payload, mutation: 'forgetSemanticMemory' })) this.#forgotten.push(head.id)
  }

  /** `false` if another process wrote the belief meanwhile. The next sync decides again. */
  async #append(head: Head, draft: Pick<Draft, 'payload' | 'mutation' | 'unset'>): Promise<boolean> {
    const { owner, actor = 'memory' } = this.#publication
    try {
      await this.#publication.log.append([{ ...draft, concept: semanticMemory.name, id: head.id, update: true }], {
        owner,
        actor,
        expects: { [head.id]: head.version },
      })
      return true
    } catch (error) {
      if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
      return false
    }
  }

  async #put(head: Head): Promise<void> {
    const found = this.#there.files.get(head.id)
    const key = found?.key ?? this.#keyOf(head.id)
    const isRefused = this.#refused.some((each) => each.key === key)
    if (this.#absent.includes(head.id) || this.#isUnreadable(head.id) || isRefused) return
    const text = beliefFile(head, this.#publication.deviceId)
    if (found?.text !== text && !(await putFile(this.#publication, key, { text, seen: found?.hash }))) return
    this.left.set(head.id, { key, hash: contentHash(text) })
    this.#published += 1
  }

  async #withdraw(head: Head): Promise<void> {
    const found = this.#there.files.get(head.id)
    const isRefused = this.#refused.some(({ key }) => key === found?.key)
    if (isRefused && !head.redacted) return
    if (found !== undefined && (await withdrawFile(this.#publication, found))) this.#withdrawn.push(head.id)
    this.left.delete(head.id)
  }
}

/** What nobody has confirmed stays on this device. Accepted, it becomes a note of its own. */
function isUnconfirmed({ payload }: Head): boolean {
  return payload['origin'] === 'sessions'
}

/** Why a text may not become a belief. A belief is recalled into prompts, and the log keeps it for ever. */
function refusalOf(statement: string): string | undefined {
  if (statement === '') return 'there is no text above the line; delete the file to forget the belief'
  const kinds = findSecrets(statement).map(({ kind }) => kind)
  return kinds.length === 0 ? undefined : `it holds what looks like a secret (${kinds.join(', ')})`
}
