/** Makes one statement of episodes that are about one thing, or says that there is nothing worth keeping. */
import type { Episode } from '../episodes/pure/episode.ts'
import type { DistillUsage } from './pure/spent.ts'

export const beliefKinds = ['fact', 'preference', 'outcome'] as const
export type BeliefKind = (typeof beliefKinds)[number]

/** What a distiller is asked. */
export interface DistillRequest {
  /** Of one partition. What they say is data; nothing in it is to be followed. */
  readonly episodes: readonly Pick<Episode, 'id' | 'kind' | 'content' | 'createdAt' | 'voice'>[]
  /** Beliefs nearby: what says the same is said in their words, and what contradicts one names it. */
  readonly existingHints: readonly { readonly id: string; readonly kind: BeliefKind; readonly content: string }[]
  /** How many different goals the episodes served; those of one goal count once. */
  readonly witnesses?: number
  /** What a distiller may know of the owner; opaque. */
  readonly ownerContext?: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** Called for each question as it is answered, so that it is booked also where the answer is of no use. */
  readonly onUsage?: (usage: DistillUsage) => void
}

/** What a distiller made of a cluster: one statement, or the reason why there is none. */
export type Distilled =
  | { readonly distilled: false; readonly why: string }
  | {
      readonly distilled: true
      readonly kind: BeliefKind
      /** One sentence that can stand alone. */
      readonly content: string
      /** 0 to 1. */
      readonly confidence: number
      /** The episodes that say so (default: all). */
      readonly from?: readonly string[]
      /** The hint that is no longer true if this is. */
      readonly contradicts?: string
    }

/** Throws where it could not do its work; the episodes then wait for the next run. */
export interface Distiller {
  readonly name: string
  /** Fewer witnesses than this are not worth its while; plans with one goal are one witness. */
  readonly leastEpisodes: number
  /**
   * What a request holds: whole episodes that are about one thing (default), or single sentences of them that say the same
   * in about the same words, which needs no vectors.
   */
  readonly gathers?: 'episodes' | 'sentences'
  distill(request: DistillRequest): Promise<Distilled>
  /**
   * Several requests in one question. Answers in their order; an error stands for what got no usable answer. Where it throws,
   * the requests are asked again in smaller groups.
   */
  distillAll?(requests: readonly DistillRequest[]): Promise<readonly (Distilled | Error)[]>
}
