import type { FeedEvent, Node } from '../node.ts'

/** The event that the feed gives for a version. */
export function feedEvent(node: Node, oldStatus: string | undefined): FeedEvent {
  return { topics: topicsOf(node), node, oldStatus }
}

/** The topics of one version. Every version is published as created; from the second version on it is published as updated too. */
function topicsOf({ concept, version }: Pick<Node, 'concept' | 'version'>): readonly string[] {
  const created = `graph.node.created.${concept}`
  return version > 1 ? [created, `graph.node.updated.${concept}`] : [created]
}
