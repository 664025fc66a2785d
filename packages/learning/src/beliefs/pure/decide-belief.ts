/**
 * What happens to a distilled statement: it becomes a new belief, confirms an existing one, replaces one that is no longer true, or
 * is dropped. Two facts are never merged, and a text that a person wrote or removed is never overruled.
 */
import { mergeProvenance } from '@agentm/nodes/store-kit'
import type { BeliefKind } from '../../distillers/distiller.ts'
import { isAddressedToReader } from '../../statements/pure/addressed-to-reader.ts'
import { claimsPermission } from '../../statements/pure/claims-permission.ts'
import type { LessonKind } from '../../lessons/pure/lesson.ts'
import type { KnownBelief } from './known-belief.ts'
import { isChange } from '../../statements/pure/statement-change.ts'
import { isDenial, type Reading, readingDifference, readStatement } from '../../statements/pure/statement-difference.ts'
import { stemsOf, wordLikeness } from '../../statements/pure/word-likeness.ts'

export interface Statement {
  readonly kind: BeliefKind
  readonly content: string
  readonly confidence: number
  readonly sources: readonly string[]
  /** The times of its oldest and its newest episode, in epoch milliseconds. */
  readonly evidenceFrom: number
  readonly evidenceAt: number
  /** A belief from the hints that the distiller says is no longer true. */
  readonly contradicts: string | undefined
  /** How it was learned, if it was learned from agent sessions. */
  readonly lesson?: { readonly kind: LessonKind; readonly subject?: string }
}

export interface Near {
  readonly belief: KnownBelief
  /** The cosine; absent if there is no vector to compare. */
  readonly similarity: number | undefined
}

export interface Thresholds {
  readonly dedup: number
  readonly wordDedup: number
}

export type BeliefDecision =
  | { readonly do: 'create' }
  | { readonly do: 'reinforce'; readonly belief: KnownBelief; readonly sources: readonly string[] }
  | { readonly do: 'supersede'; readonly belief: KnownBelief }
  | { readonly do: 'nothing'; readonly why: string; readonly belief?: string }

/** `near` are beliefs of the statement's own partition, in any order: active, removed by a person, or superseded. */
export function decideBelief(statement: Statement, near: readonly Near[], limits: Thresholds): BeliefDecision {
  const refusal = refusalOf(statement)
  if (refusal !== undefined) return { do: 'nothing', why: refusal }
  const [stems, reading] = [stemsOf(statement.content), readStatement(statement.content)]
  const ranked = near
    .map(({ belief, similarity }) => ({
      belief,
      nearness: nearnessOf(statement, stems, { belief, similarity, limits }),
    }))
    .toSorted((a, b) => b.nearness - a.nearness || (a.belief.id < b.belief.id ? -1 : 1))
  const active = ranked.filter(({ belief }) => belief.status === 'active')
  const same = active.find(
    ({ belief, nearness }) => nearness >= 0 && readingDifference(reading, belief.reading) === undefined,
  )
  if (same !== undefined) return confirmed(statement, same.belief)
  const settled = settledByPerson(
    { stems, reading, content: statement.content },
    ranked.map(({ belief }) => belief),
    limits,
  )
  if (settled !== undefined) return settled
  return (
    contradicted(
      statement,
      reading,
      active.map(({ belief }) => belief),
    ) ?? { do: 'create' }
  )
}

const mostCharacters = 500

function refusalOf({ content, sources }: Statement): string | undefined {
  if (content.trim() === '') return 'the statement is empty'
  if (content.length > mostCharacters || /[\r\n]/.test(content)) return 'the statement is not one sentence'
  if (isAddressedToReader(content)) return 'the statement is an instruction to its reader'
  if (claimsPermission(content))
    return 'the statement claims that a person permitted something, and only a person can say so'
  return sources.length === 0 ? 'the statement names no episode it comes from' : undefined
}

/** At least 0 if the two are near enough to have the same meaning, by vectors or by words. */
function nearnessOf(
  { content }: Statement,
  stems: ReadonlySet<string>,
  { belief, similarity, limits }: Near & { readonly limits: Thresholds },
): number {
  if (content === belief.content) return 2
  const byWords = wordLikeness(stems, belief.stems) - limits.wordDedup
  return similarity === undefined ? byWords : Math.max(byWords, similarity - limits.dedup)
}

function confirmed({ sources }: Statement, belief: KnownBelief): BeliefDecision {
  const merged = mergeProvenance(belief.sources, sources)
  if (merged.length > belief.sources.length) return { do: 'reinforce', belief, sources: merged }
  return { do: 'nothing', why: 'the belief has these episodes already', belief: belief.id }
}

/** Without words of emphasis. */
function plain(text: string): string {
  return text.replaceAll(/\b(?:any|all|every|each|always|ever|really|please|just)\b ?/gi, '')
}

function settledByPerson(
  statement: { readonly stems: ReadonlySet<string>; readonly reading: Reading; readonly content: string },
  beliefs: readonly KnownBelief[],
  { wordDedup }: Thresholds,
): BeliefDecision | undefined {
  const { stems, reading } = statement
  const says = (text: string) => {
    if (wordLikeness(stems, stemsOf(text)) < wordDedup) return false
    // In doubt a person has decided about it. Words that only add weight make no other statement.
    return (
      readingDifference(reading, readStatement(text)) === undefined ||
      readingDifference(readStatement(plain(statement.content)), readStatement(plain(text))) === undefined
    )
  }
  const corrected = beliefs.find(
    ({ status, isOperators, editedFrom }) => status === 'active' && isOperators && editedFrom.some(says),
  )
  if (corrected !== undefined) return { do: 'nothing', why: 'a person corrected this', belief: corrected.id }
  const decided = beliefs.find(
    ({ isRemoved, isAccepted, content, editedFrom }) =>
      (isRemoved || isAccepted) && [content, ...editedFrom].some(says),
  )
  if (decided === undefined) return undefined
  const why = decided.isRemoved ? 'a person removed this' : 'a person made a note of this'
  return { do: 'nothing', why, belief: decided.id }
}

function contradicted(
  statement: Statement,
  reading: Reading,
  active: readonly KnownBelief[],
): BeliefDecision | undefined {
  const over =
    active.find((belief) => belief.id === statement.contradicts || isDenial(belief.reading, reading)) ??
    active.find((belief) => belief.evidenceAt < statement.evidenceFrom && isChange(belief.content, statement.content))
  if (over === undefined) return undefined
  if (over.isOperators) return { do: 'nothing', why: 'a person wrote otherwise', belief: over.id }
  if (over.evidenceAt > statement.evidenceAt)
    return { do: 'nothing', why: 'what is newer says otherwise', belief: over.id }
  return { do: 'supersede', belief: over }
}
