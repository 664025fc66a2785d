/**
 * Records, at the first write, which repository a project name belongs to. From then on, another repository with that name is
 * refused. All code that writes into a project's part of a store calls this first.
 */
import type { Project } from './resolve-project.ts'
import { bindingOf, bringsNews, describeBindings } from './pure/project-binding.ts'
import { isJournaled } from './pure/registry-journal.ts'
import { reposOf, withBinding } from './pure/repos-document.ts'
import { type FoundRegistry, readRegistry } from './read-repos.ts'
import { updateRegistry } from './repo-registry.ts'
import { SlugBoundError } from './routing-errors.ts'

/**
 * Records which repository a project name belongs to, at the first write. Another repository with that name is then
 * refused.
 *
 * @example
 * ```ts
 * import { bindProject, type Project } from '@agentm/routing'
 *
 * declare const project: Project
 * await bindProject(project)
 * ```
 */
export async function bindProject(project: Project): Promise<void> {
  const { slug, backend, checkout, registers } = project
  const refusal = project.selectionError ?? project.bindingError
  if (refusal !== undefined) throw refusal
  // Without conditional writes, the record could overwrite that of another process. The name then stays unbound.
  if (slug === undefined || backend === undefined || !backend.capabilities.conditionalWrite) return
  const found = await readRegistry(backend)
  if (isNoted(found, project)) return
  await updateRegistry(backend, slug, (text) => {
    const known = reposOf(text).find((repo) => repo.slug === slug)
    if (known === undefined && !registers) return undefined
    const bindings = known?.bindings ?? []
    if (bindingOf(bindings, checkout) === 'foreign') throw new SlugBoundError(slug, describeBindings(bindings))
    if (!bringsNews(bindings, checkout)) return isJournaled(found.journal, slug) ? undefined : text
    return withBinding(text, slug, checkout)
  })
}

/** Checks without the lock, because after the first write there is nothing to do. */
function isNoted({ text, isWhole, journal }: FoundRegistry, { slug = '', checkout, registers }: Project): boolean {
  const known = reposOf(text).find((repo) => repo.slug === slug)
  if (known === undefined) return !registers
  if (!isWhole || !isJournaled(journal, slug)) return false
  return bindingOf(known.bindings, checkout) === 'bound' && !bringsNews(known.bindings, checkout)
}
