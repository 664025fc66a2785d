/**
 * What workers need beyond the history: live sessions, fair claims, abandoned work and due work. All times are by the store's clock, so
 * that the clocks of machines need not agree.
 */
import type { Durability } from './node-log.ts'
import type { Head } from './node.ts'
import type { ConcurrencyLimit, RateLimit } from './pure/flow.ts'

/** One live worker process. A running node names its session. When the session ends, its running nodes are abandoned. */
export interface Session {
  readonly id: string
  readonly actor: string
  readonly startedAt: number
  readonly leaseUntil: number
  /** Facts that the process reports about itself: host, pid, command. */
  readonly facts: Readonly<Record<string, string>>
}

/** A running node of a session as the store sees it now. */
export interface Claim {
  readonly id: string
  /**
   * The current version of the node. If it differs from the version that the claim made, another process wrote the node, and the claim is
   * no longer valid.
   */
  readonly version: number
  /** True if its parent is sealed, paused or settled. */
  readonly held: boolean
}

/** The answer to a heartbeat: when the lease ends, and what this worker session runs. */
export interface Renewal {
  readonly leaseUntil: number
  /** All nodes that this session runs. A claim that is absent here is over. */
  readonly claims: readonly Claim[]
}

/** Options of `WorkLog.take`. */
export interface TakeOptions {
  /** A live session. An ended session is refused with `SESSION_LOST`. */
  readonly session: string
  /** Owners this worker serves. */
  readonly owners: readonly string[]
  readonly concepts: readonly string[]
  readonly actor: string
  /** The maximum number of nodes to claim. */
  readonly k: number
  /** The maximum number of running steps per partition, over all processes (default: 4). */
  readonly perPartition?: number
  /** Only this partition. */
  readonly partition?: string
  /** Only children of these nodes. */
  readonly parents?: readonly string[]
  /** Only nodes of these kinds, for concepts whose `claimable` names a `kind`. Other kinds are left to other workers. */
  readonly kinds?: readonly string[]
  /** Durability of the claim (default: `normal`, because a lost claim is simply claimed again). */
  readonly durability?: Durability
}

/** A claimed node whose worker is gone, and how that was noticed. */
export interface Abandoned {
  readonly node: Head
  readonly session: string
  /** Why it is abandoned: the lease expired, the process is known to be gone, or the session was closed. */
  readonly why: 'lease' | 'vanished' | 'closed'
}

/** A hold that the operating system or the server releases when the process dies. */
export interface SessionHold {
  release(): Promise<void>
}

/** Limits before which ready nodes wait: those that are reached, and those that let some of them through. */
export interface FlowGate {
  readonly owner: string
  /** At most `atOnce` nodes with this key run at once; `running` do now. */
  readonly limit?: ConcurrencyLimit & { readonly running: number }
  readonly rate?: RateLimit
  /** How many nodes may pass now. */
  readonly room: number
  /** When the rate limit lets the next node through, if it keeps them back. */
  readonly opensAt?: number
}

/** What workers need: worker sessions with leases, fair claims, abandoned work and due work. All times are by the store's clock. */
export interface WorkLog {
  /** The store's clock, in epoch milliseconds. */
  now(): Promise<number>
  openSession(options: {
    readonly actor: string
    readonly leaseMs: number
    readonly facts?: Readonly<Record<string, string>>
  }): Promise<Session>
  /** Extends the lease with one statement. Returns `undefined` if the lease has expired; the session cannot be resumed. */
  renew(session: string, options: { readonly leaseMs: number }): Promise<Renewal | undefined>
  closeSession(session: string): Promise<void>
  sessions(): Promise<readonly Session[]>
  /** Lets other processes notice the death of this one before the lease expires. The lease is still needed. */
  hold(session: string): Promise<SessionHold>
  /**
   * Claims up to `k` nodes in one transaction. Partitions are served by virtual time. Within one partition the oldest node is first, or the
   * one that the `flow` of its concept ranks first. Limits of a `flow` hold over all sessions and partitions of an owner. A node whose
   * `timer` is due is not claimed.
   */
  take(options: TakeOptions): Promise<readonly Head[]>
  /** Running nodes whose session has ended. */
  abandoned(options: { readonly owners: readonly string[]; readonly limit?: number }): Promise<readonly Abandoned[]>
  /** Nodes whose `timer` is due, earliest first. */
  due(options: { readonly owners: readonly string[]; readonly limit?: number }): Promise<readonly Head[]>
  /** When the next timer is due, or the next rate limit lets a ready node through, so that a worker can sleep until then. */
  nextDue(options: { readonly owners: readonly string[] }): Promise<number | undefined>
  /** The limits before which ready nodes of these owners wait. */
  gates(options: { readonly owners: readonly string[] }): Promise<readonly FlowGate[]>
  /** Number of children of a node by concept and status. */
  tally(
    parent: string,
    options: { readonly owner: string; readonly concept: string },
  ): Promise<Readonly<Record<string, number>>>
}
