import type { Project } from '@agentm/routing/reader'

/** A repository that uses the name of another one gets the partition without a project. */
export function partitionOf({ slug, bindingError }: Project): string {
  return slug === undefined || bindingError !== undefined ? '_global' : slug
}
