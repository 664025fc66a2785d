import type { Project } from '@agentm/routing/reader'

/** A repository that calls itself by another one's name gets what belongs to no project. */
export function partitionOf({ slug, bindingError }: Project): string {
  return slug === undefined || bindingError !== undefined ? '_global' : slug
}
