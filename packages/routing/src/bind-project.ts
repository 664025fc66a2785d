/**
 * Notes, at the first write, which repository a project name belongs to; from then on another one is refused. Whatever
 * writes into a project's part of a store calls this before.
 */
import type { Project } from './resolve-project.ts'
import { bindingOf, bringsNews, describeBindings } from './pure/project-binding.ts'
import { type Repo, reposOf, withBinding } from './pure/repos-document.ts'
import { findRepo, registryLocator } from './read-repos.ts'
import { SlugBoundError } from './routing-errors.ts'

export async function bindProject(project: Project): Promise<void> {
  const { slug, backend, checkout, registers } = project
  const refusal = project.selectionError ?? project.bindingError
  if (refusal !== undefined) throw refusal
  // Without conditional writes a note could undo somebody else's; the name then stays unbound.
  if (slug === undefined || backend === undefined || !backend.capabilities.conditionalWrite) return
  if (isNoted(await findRepo(backend, slug), project)) return
  await backend.update(registryLocator(backend), (text) => {
    const known = reposOf(text).find((repo) => repo.slug === slug)
    if (known === undefined && !registers) return undefined
    const bindings = known?.bindings ?? []
    if (bindingOf(bindings, checkout) === 'foreign') throw new SlugBoundError(slug, describeBindings(bindings))
    return bringsNews(bindings, checkout) ? withBinding(text, slug, checkout) : undefined
  })
}

/** A look without the lock: after the first write there is nothing to do. */
function isNoted(known: Repo | undefined, { checkout, registers }: Project): boolean {
  if (known === undefined) return !registers
  return bindingOf(known.bindings, checkout) === 'bound' && !bringsNews(known.bindings, checkout)
}
