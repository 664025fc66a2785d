import type { FeedEvent, Node } from '../node.ts'

/** The topics of one version. Every version is published as created; from the second version on it is published as updated too. */
export function topicsOf({ concept, version }: Pick<Node, 'concept' | 'version'>): readonly string[] {
  const created = `graph.node.created.${concept}`
  return version > 1 ? [created, `graph.node.updated.${concept}`] : [created]
}

/** The event that the feed gives for a version. */
export function feedEvent(node: Node, oldStatus: string | undefined): FeedEvent {
  return { topics: topicsOf(node), node, oldStatus }
}

/** Whether a pattern matches a topic: `*` matches one segment between dots, `#` any number of segments. */
export function topicMatches(pattern: string, topic: string): boolean {
  return matches(pattern.split('.'), topic.split('.'))
}

function matches(pattern: readonly string[], topic: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return topic.length === 0
  if (first === '#') return topic.some((_, i) => matches(rest, topic.slice(i))) || matches(rest, [])
  const [segment, ...others] = topic
  return segment !== undefined && (first === '*' || first === segment) && matches(rest, others)
}
