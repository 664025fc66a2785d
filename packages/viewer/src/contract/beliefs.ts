/** What the server and the room of beliefs say to each other. */
import type { Facet } from './memory.ts'

export interface BeliefRow {
  readonly id: string
  readonly statement: string
  readonly kind: string
  readonly status: 'active' | 'pruned'
  /** 0 to 1. */
  readonly confidence: number
  /** `_global` for what belongs to no project. */
  readonly project: string
  /** A person wrote its text. */
  readonly isPersons: boolean
  /** It was learned from agent sessions, and no person has confirmed it. */
  readonly isUnconfirmed: boolean
  /** How many episodes it was learned from. */
  readonly sources: number
  /** 0 if unknown. */
  readonly confirmedAt: number
  /** Why it is forgotten: `decay`, `operator`, `superseded`, `agent` or `accepted`. */
  readonly prunedBy?: string
}

/** What is shown: `active`, `waiting` for a decision, or `forgotten`. */
export const beliefShelves = ['active', 'waiting', 'forgotten'] as const
export type BeliefShelfName = (typeof beliefShelves)[number]

/** A piece of the list, the highest confidence first. */
export interface BeliefList {
  readonly hasLog: boolean
  readonly beliefs: readonly BeliefRow[]
  readonly total: number
  readonly counts: Readonly<Record<BeliefShelfName, number>>
  readonly projects: readonly Facet[]
  readonly now: number
}

/** One belief, and where it comes from. */
export interface BeliefPage extends BeliefRow {
  /** Oldest first. */
  readonly versions: readonly BeliefVersion[]
  readonly episodes: readonly BeliefEpisode[]
  /** Ids of beliefs. */
  readonly supersedes?: string
  readonly supersededBy?: string
  /** The kind of lesson, if it was learned from agent sessions. */
  readonly lesson?: string
  /** The note that it became. */
  readonly note?: string
  /** Why it cannot be made a note here; absent if it can, or if it is no lesson. */
  readonly elsewhere?: string
  readonly now: number
}

export interface BeliefVersion {
  readonly version: number
  readonly at: number
  readonly what:
    | 'learned'
    | 'strengthened'
    | 'confirmed'
    | 'worded anew'
    | 'faded'
    | 'forgotten'
    | 'replaced'
    | 'restored'
    | 'changed'
  readonly confidence: number
  readonly statement: string
}

/** Something that happened, from which it was learned. Without text if that was erased. */
export interface BeliefEpisode {
  readonly id: string
  readonly kind?: string
  readonly at?: number
  readonly text?: string
  readonly plan?: { readonly id: string; readonly goal: string }
  readonly step?: string
  /** A turn of an agent session. */
  readonly session?: {
    readonly host: string
    readonly id: string
    readonly turn: number
    /** The first and the last record in the file of the host. */
    readonly records: readonly [number, number]
  }
}

export type BeliefChange =
  | { readonly do: 'confirm' | 'forget' | 'restore'; readonly id: string }
  | { readonly do: 'correct'; readonly id: string; readonly text: string }
