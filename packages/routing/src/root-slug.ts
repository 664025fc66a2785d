/**
 * The project name of a repository without a name or a remote: that of its directory if it is free, otherwise with a suffix that no
 * other directory of that name gets.
 */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { describeBindings, repoOfRoot } from './pure/project-binding.ts'
import type { Repo } from './pure/repos-document.ts'
import { slugOfDirectory } from './pure/slug.ts'
import { shellWord } from './routing-errors.ts'

export interface RootSlugQuestion {
  readonly repos: readonly Repo[]
  /** Whether the store already has a project of that name. */
  readonly isKept: (slug: string) => Promise<boolean>
  /** Whether the first write records the owner of the name. Without that record, a plain name could later become another project's. */
  readonly isNoted: boolean
}

export async function rootSlug(
  root: string,
  { repos, isKept, isNoted }: RootSlugQuestion,
): Promise<{ readonly slug: string; readonly notice?: string }> {
  const plain = slugOfDirectory(basename(root))
  const own = `${plain}-${createHash('sha256').update(root).digest('hex').slice(0, 6)}`
  const registered = repoOfRoot(repos, root, [plain, own])
  if (registered !== undefined) return { slug: registered.slug }
  if (!isNoted || (await isKept(own))) return { slug: own }
  const other = repos.find(({ slug }) => slug === plain)
  if (other === undefined && !(await isKept(plain))) return { slug: plain }
  const whose = other === undefined ? 'is in the store already' : `belongs to ${ownersOf(other)}`
  return {
    slug: own,
    notice:
      `the project name ${JSON.stringify(plain)} ${whose}, so this checkout is ${JSON.stringify(own)}. ` +
      `If they are one project, say so: agentm repos register --slug ${shellWord(plain)}. To choose another name: agentm project name NAME`,
  }
}

function ownersOf({ bindings, rootPath }: Repo): string {
  return bindings.length === 0 ? rootPath : describeBindings(bindings)
}
