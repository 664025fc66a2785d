/** The project as memory knows it: whose notes may be read, and why not where another repository owns the name. */
import type { BoundProject } from '@agentm/memory'
import type { Project } from '@agentm/routing/reader'

export function boundProject({ slug, projectLocator, bindingError }: Project): BoundProject | undefined {
  if (slug === undefined) return undefined
  return {
    slug,
    ...(projectLocator === undefined ? {} : { home: projectLocator.key }),
    ...(bindingError === undefined ? {} : { refusal: bindingError }),
  }
}
