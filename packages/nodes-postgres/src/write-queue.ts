/**
 * Combines the writes of one turn of the event loop into few statements. While the allowed number of statements is running, new writes wait
 * and are then sent together. Claims are sent last, so that they see the result of the appends. A write that cannot be combined is sent
 * alone. Each is acknowledged after the commit, and a refusal affects only its own write.
 */
import type { Node } from '@agentm/nodes'
import type { PreparedAppend } from '@agentm/nodes/store-kit'

export interface QueuedAppend {
  readonly append: PreparedAppend
  readonly full: boolean
  /** The heads on which it is decided; this process has all of them cached. */
  readonly cached: readonly string[]
  /** Ids that it writes, and that are assumed to be new. */
  readonly unseen: readonly string[]
}

export interface QueuedTake<Take, Taken> {
  readonly take: Take
  readonly answer: (taken: Taken) => void
}

/** The result of each append; `undefined` if it must be sent alone. Claims that got no answer are sent alone too. */
type WriteTurn<Take, Taken> = (
  group: readonly QueuedAppend[],
  take: QueuedTake<Take, Taken> | undefined,
) => Promise<readonly (readonly Node[] | undefined)[]>

interface Promised<T> {
  readonly resolve: (value: T | undefined) => void
  readonly reject: (error: unknown) => void
}

type Job = QueuedAppend & Promised<readonly Node[]>
type TakeJob<Take, Taken> = QueuedTake<Take, Taken> & Promised<Taken>

/** At most two statements at the same time: the server works on one while the other is sent or answered. */
const atOnce = 2
/** At most this many writes share one statement, so that no write waits too long. */
const mostMembers = 64
const mostDrafts = 500

export class WriteQueue<Take, Taken> {
  readonly #write: WriteTurn<Take, Taken>
  #waiting: Job[] = []
  readonly #takes: TakeJob<Take, Taken>[] = []
  /** The ids that running groups write. A later writer of the same head waits for them, and then knows their outcome. */
  readonly #beingWritten = new Set<string>()
  #running = 0

  constructor(write: WriteTurn<Take, Taken>) {
    this.#write = write
  }

  async append(append: QueuedAppend): Promise<readonly Node[] | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...append, resolve, reject })
      if (this.#running < atOnce) void this.#drain()
    })
  }

  /** Sends claims with the appends of this turn; `undefined` if there are none. */
  async take(take: Take): Promise<Taken | undefined> {
    return new Promise((resolve, reject) => {
      this.#takes.push({ take, answer: resolve, resolve, reject })
      void (this.#running < atOnce ? this.#drain() : this.#releaseTakes())
    })
  }

  async #drain(): Promise<void> {
    this.#running += 1
    await endOfTurn()
    for (let group = this.#next(); group.length > 0; group = this.#next()) await this.#perform(group)
    this.#running -= 1
    for (const { resolve } of this.#takes.splice(0)) resolve(undefined)
  }

  /** Claims wait for a statement only if earlier appends wait too. */
  async #releaseTakes(): Promise<void> {
    await endOfTurn()
    if (this.#waiting.length > 0) return
    for (const { resolve } of this.#takes.splice(0)) resolve(undefined)
  }

  async #perform(group: readonly Job[]): Promise<void> {
    const take = this.#takes.shift()
    const members: readonly Promised<never>[] = [...group, ...(take === undefined ? [] : [take])]
    const ids = group.flatMap(({ append }) => append.writes)
    for (const id of ids) this.#beingWritten.add(id)
    const sent = this.#write(group, take)
    void this.#releaseTakes()
    try {
      const written = await sent
      group.forEach(({ resolve }, i) => resolve(written[i]))
      take?.resolve(undefined)
    } catch (error) {
      const isAlone = members.length === 1 || !wasTakenBack(error)
      for (const { resolve, reject } of members)
        if (isAlone) reject(error)
        else resolve(undefined)
    } finally {
      for (const id of ids) this.#beingWritten.delete(id)
    }
  }

  /** The next group: starts with the longest waiting and adds writes that touch no common node. */
  #next(): readonly Job[] {
    const group: Job[] = []
    const [written, read] = [new Set(this.#beingWritten), new Set<string>()]
    let drafts = 0
    for (const job of this.#waiting) {
      const { freed, writes, reads } = job.append
      const isApart = !writes.some((id) => written.has(id) || read.has(id)) && !reads.some((id) => written.has(id))
      const isRoom = group.length === 0 || drafts + job.append.drafts.length <= mostDrafts
      if (isApart && isRoom && freed === (group[0] ?? job).append.freed && isSameWriter(job, group[0])) {
        group.push(job)
        drafts += job.append.drafts.length
      }
      // Also counts skipped writes, because later writes of the same node must not overtake them.
      for (const id of writes) written.add(id)
      for (const id of reads) read.add(id)
      if (group.length === mostMembers) break
    }
    const taken = new Set(group)
    this.#waiting = this.#waiting.filter((job) => !taken.has(job))
    return group
  }
}

function isSameWriter({ append }: Job, first: Job | undefined): boolean {
  return first === undefined || (append.owner === first.append.owner && append.actor === first.append.actor)
}

/** Waits for the end of the turn, because work that continues directly belongs to the same turn. */
async function endOfTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/** Whether the server itself reported the refusal, so that nothing was written. */
function wasTakenBack(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'code' in error && error.code !== '57014'
}
