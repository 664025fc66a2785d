/**
 * What a worker needs and history does not: live sessions, a fair share of claimable work, what was abandoned, what is
 * due. All times are by the store's clock, so that machines need not agree on one.
 */
import type { Durability } from './node-log.ts'
import type { Head } from './node.ts'

/** One live process. Running nodes name it; when it ends, they are abandoned. */
export interface Session {
  readonly id: string
  readonly actor: string
  readonly startedAt: number
  readonly leaseUntil: number
  /** What the process says of itself: host, pid, command. */
  readonly facts: Readonly<Record<string, string>>
}

/** A running node of a session as the store sees it now. */
export interface Claim {
  readonly id: string
  /** Other than the one the claim made: somebody wrote, and the claim is fenced. */
  readonly version: number
  /** Its parent is sealed, paused or over. */
  readonly held: boolean
}

/** The answer to a heartbeat: until when the lease holds, and what this worker session runs. */
export interface Renewal {
  readonly leaseUntil: number
  /** Everything this session is running. A claim that is missing here is over. */
  readonly claims: readonly Claim[]
}

/** Options of `WorkLog.take`. */
export interface TakeOptions {
  /** A live session; refused with `SESSION_LOST` otherwise. */
  readonly session: string
  /** Owners this worker serves. */
  readonly owners: readonly string[]
  readonly concepts: readonly string[]
  readonly actor: string
  /** At most so many. */
  readonly k: number
  /** The most steps that run per partition, over all processes (default: 4). */
  readonly perPartition?: number
  /** Only this partition. */
  readonly partition?: string
  /** Only children of these. */
  readonly parents?: readonly string[]
  /** Only these kinds, for concepts whose `claimable` names a `kind`. Other kinds are left to other workers. */
  readonly kinds?: readonly string[]
  /** Default: `normal`, because a lost claim is simply claimed again. */
  readonly durability?: Durability
}

/** A claimed row whose worker is gone, and how that was noticed. */
export interface Abandoned {
  readonly node: Head
  readonly session: string
  /** The lease ran out, the process is known to be gone, or the session was closed. */
  readonly why: 'lease' | 'vanished' | 'closed'
}

/** Held while a process lives, and let go by the system when it dies. */
export interface SessionHold {
  release(): Promise<void>
}

/**
 * What workers need: worker sessions with leases, fair claims, abandoned work, and what is due. Times are the store's
 * clock.
 */
export interface WorkLog {
  /** The store's clock, in epoch milliseconds. */
  now(): Promise<number>
  openSession(options: {
    readonly actor: string
    readonly leaseMs: number
    readonly facts?: Readonly<Record<string, string>>
  }): Promise<Session>
  /** One statement. `undefined` once the lease has ended: the session cannot come back. */
  renew(session: string, options: { readonly leaseMs: number }): Promise<Renewal | undefined>
  closeSession(session: string): Promise<void>
  sessions(): Promise<readonly Session[]>
  /** Lets others notice the death of this process before the lease ends. Never instead of the lease. */
  hold(session: string): Promise<SessionHold>
  /** Claims up to `k` nodes in one transaction, partitions by virtual time, oldest first within one. */
  take(options: TakeOptions): Promise<readonly Head[]>
  /** Running nodes whose session is over. */
  abandoned(options: { readonly owners: readonly string[]; readonly limit?: number }): Promise<readonly Abandoned[]>
  /** Nodes whose `timer` has come, earliest first. */
  due(options: { readonly owners: readonly string[]; readonly limit?: number }): Promise<readonly Head[]>
  /** When the next timer comes, so that a worker can sleep until then. */
  nextDue(options: { readonly owners: readonly string[] }): Promise<number | undefined>
  /** How many children of a node are in which status, by concept. */
  tally(
    parent: string,
    options: { readonly owner: string; readonly concept: string },
  ): Promise<Readonly<Record<string, number>>>
}
