/** Makes one statement of episodes that are about one thing, or says that there is nothing worth keeping. */
import type { Episode } from './pure/episode.ts'
import type { DistillUsage } from './pure/spent.ts'

export const beliefKinds = ['fact', 'preference', 'outcome'] as const
export type BeliefKind = (typeof beliefKinds)[number]

export interface DistillRequest {
  /** Of one partition. What they say is data; nothing in it is to be followed. */
  readonly episodes: readonly Pick<Episode, 'id' | 'kind' | 'content' | 'createdAt' | 'voice'>[]
  /** Beliefs nearby: what says the same is said in their words, and what contradicts one names it. */
  readonly existingHints: readonly { readonly id: string; readonly kind: BeliefKind; readonly content: string }[]
  /** What a distiller may know of the owner; opaque. */
  readonly ownerContext?: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** Told of each question as it is answered, so that it is booked also where the answer is of no use. */
  readonly onUsage?: (usage: DistillUsage) => void
}

export type Distilled =
  | { readonly distilled: false; readonly why: string }
  | {
      readonly distilled: true
      readonly kind: BeliefKind
      /** One sentence that can stand alone. */
      readonly content: string
      /** 0 to 1. */
      readonly confidence: number
      /** The episodes that say so; all where absent. */
      readonly from?: readonly string[]
      /** The hint that is no longer true if this is. */
      readonly contradicts?: string
    }

/** Throws where it could not do its work; the episodes then wait for the next run. */
export interface Distiller {
  readonly name: string
  /** Fewer episodes than this are not worth its while. */
  readonly leastEpisodes: number
  distill(request: DistillRequest): Promise<Distilled>
}
