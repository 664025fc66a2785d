/**
 * Groups episodes about one topic, oldest first. An episode joins a group only if it is similar to every member, so that a chain of
 * small differences does not connect two topics. A group never spans partitions.
 */
import type { Episode } from './episode.ts'
import { type Reading, readingDifference, readStatement } from '../../statements/pure/statement-difference.ts'

export interface ClusterRule {
  /** The least similarity of two episodes, 0 to 1. */
  readonly threshold: number
  /** The most episodes in a cluster, because a longer list does not help a reader. */
  readonly most: number
  readonly likeness: (a: number, b: number) => number
}

export function clusters(episodes: readonly Episode[], rule: ClusterRule): readonly (readonly Episode[])[] {
  const groups: number[][] = []
  const readings = episodes.map(({ content }) => (isStatement(content) ? readStatement(content) : undefined))
  for (const at of episodes.keys()) {
    const fits = groups
      .filter((group) => group.length < rule.most)
      .map((group) => ({ group, near: nearness(at, group, { episodes, rule }) }))
      .filter(({ group, near }) => near >= rule.threshold && isOfOne(at, group, readings))
    const best = fits.reduce<(typeof fits)[number] | undefined>(
      (found, each) => (found === undefined || each.near > found.near ? each : found),
      undefined,
    )
    if (best === undefined) groups.push([at])
    else best.group.push(at)
  }
  return groups.map((group) => group.flatMap((at) => episodes[at] ?? []))
}

/** The lowest similarity to any member. */
function nearness(
  at: number,
  group: readonly number[],
  { episodes, rule }: { readonly episodes: readonly Episode[]; readonly rule: ClusterRule },
): number {
  if (group.some((other) => episodes[other]?.partition !== episodes[at]?.partition)) return -1
  return Math.min(...group.map((other) => rule.likeness(at, other)))
}

/** Single statements that differ in a number or a name are about two things, however similar they look. */
function isOfOne(at: number, group: readonly number[], readings: readonly (Reading | undefined)[]): boolean {
  const own = readings[at]
  if (own === undefined) return true
  return group.every((member) => {
    const other = readings[member]
    return other === undefined || readingDifference(own, other) === undefined
  })
}

const mostWords = 40

/** Whether the text is one sentence on one line. */
export function isStatement(text: string): boolean {
  const trimmed = text.trim()
  return !/[\r\n]|[.!?]\s+\S/.test(trimmed) && trimmed.split(/\s+/).length <= mostWords
}
