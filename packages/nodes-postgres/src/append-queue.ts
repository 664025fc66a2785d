/**
 * Appends of one moment in few statements: while as many are on their way as may be, whatever comes waits, and then goes
 * together with all that waits. A member that cannot go along is told so and goes alone; each is acknowledged after the
 * commit, and refused alone.
 */
import type { Node, PreparedAppend } from '@agentm/nodes'

export interface QueuedAppend {
  readonly append: PreparedAppend
  readonly full: boolean
  /** The heads it is decided on, all of which this process knows. */
  readonly wanted: readonly string[]
}

/** What each member wrote; nothing where it has to go alone. */
type Written = readonly (readonly Node[] | undefined)[]

interface Job extends QueuedAppend {
  readonly resolve: (nodes: readonly Node[] | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Two are on their way most often: one that the server works on, and one that is being sent or answered. */
const atOnce = 2
/** So much shares one statement at most, so that nobody waits for everybody. */
const mostMembers = 64
const mostDrafts = 500

export class AppendQueue {
  readonly #write: (group: readonly QueuedAppend[]) => Promise<Written>
  #waiting: Job[] = []
  /** What groups on their way write. Whoever wants the same goes after them, and then knows what became of it. */
  readonly #beingWritten = new Set<string>()
  #running = 0

  constructor(write: (group: readonly QueuedAppend[]) => Promise<Written>) {
    this.#write = write
  }

  async join(append: QueuedAppend): Promise<readonly Node[] | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...append, resolve, reject })
      if (this.#running < atOnce) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#running += 1
    // Callers of the same turn get into the same group.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    // What waits for the other group is taken up by that one.
    for (let group = this.#next(); group.length > 0; group = this.#next()) await this.#perform(group)
    this.#running -= 1
  }

  async #perform(group: readonly Job[]): Promise<void> {
    const ids = group.flatMap(({ append }) => append.writes)
    for (const id of ids) this.#beingWritten.add(id)
    try {
      const written = await this.#write(group)
      group.forEach(({ resolve }, i) => resolve(written[i]))
    } catch (error) {
      const alone = group.length > 1 && wasTakenBack(error)
      for (const { resolve, reject } of group)
        if (alone) resolve(undefined)
        else reject(error)
    } finally {
      for (const id of ids) this.#beingWritten.delete(id)
    }
  }

  /** From the longest waiting on: those of the same writer and purpose that touch nothing of each other. */
  #next(): readonly Job[] {
    const group: Job[] = []
    const [written, read] = [new Set(this.#beingWritten), new Set<string>()]
    let drafts = 0
    for (const job of this.#waiting) {
      const { owner, actor, freed, writes, reads } = job.append
      const first = group[0]?.append ?? job.append
      const isSame = owner === first.owner && actor === first.actor && freed === first.freed
      const isApart = !writes.some((id) => written.has(id) || read.has(id)) && !reads.some((id) => written.has(id))
      const isRoom = group.length === 0 || drafts + job.append.drafts.length <= mostDrafts
      if (isSame && isApart && isRoom) {
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

/** The server itself said that it refused the statement, so nothing of it happened. */
function wasTakenBack(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'code' in error && error.code !== '57014'
}
