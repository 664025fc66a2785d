/**
 * What one turn of the event loop asks for in few statements: while as many are on their way as may be, whatever comes
 * waits, and then goes together with all that waits. Claims go last, so that they find what the appends beside them left.
 * What cannot be grouped is sent alone; each is acknowledged after the commit, and refused alone.
 */
import type { Node } from '@agentm/nodes'
import type { PreparedAppend } from '@agentm/nodes/store-kit'

export interface QueuedAppend {
  readonly append: PreparedAppend
  readonly full: boolean
  /** The heads it is decided on, all of which this process knows. */
  readonly wanted: readonly string[]
}

export interface QueuedTake<Take, Taken> {
  readonly take: Take
  readonly answer: (taken: Taken) => void
}

/** What each append wrote; nothing for one that has to be sent alone, as claims are that were not answered by then. */
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

/** Two are on their way most often: one that the server works on, and one that is being sent or answered. */
const atOnce = 2
/** At most this much shares one statement, so that nobody waits for everybody. */
const mostMembers = 64
const mostDrafts = 500

export class WriteQueue<Take, Taken> {
  readonly #write: WriteTurn<Take, Taken>
  #waiting: Job[] = []
  readonly #takes: TakeJob<Take, Taken>[] = []
  /** What groups on their way write. A writer of the same heads comes after them, and then knows their outcome. */
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

  /** Together with the appends of this turn; nothing where there are none. */
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

  /** Claims wait for a statement only where appends before them do. */
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

  /** From the longest waiting on: those that touch nothing of each other. */
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
      // Also of who is passed over: what comes after it must not come before it.
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

/** Work that continues without waiting for anything else belongs to the same turn. */
async function endOfTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/** The server itself said that it refused the statement, so nothing of it happened. */
function wasTakenBack(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'code' in error && error.code !== '57014'
}
