/** The name of the project that a directory belongs to: from its own file, otherwise from the address it was cloned from. */
import { type JsonObject, type JsonValue, parseJson } from '@agentm/selection/reader'
import { strip } from '@agentm/settings'
import type { FilePath } from '@agentm/vault-lock'
import { findProjectFile } from './project-file.ts'
import { slugObjection, slugOfAddress, slugOfRepository } from './pure/slug.ts'
import { InvalidSlugError } from './routing-errors.ts'

export interface ProjectSlug {
  /** Absent if the project has no name. */
  readonly slug?: string
  readonly namedBy?: 'file' | 'remote'
  /** What a person should know about how the name was found. */
  readonly notices: readonly string[]
}

/**
 * Reads the files of the `roots` in order, because a worktree without a file uses that of its main repository. `address` is asked
 * only if no file has a name.
 */
export async function findProjectSlug(
  roots: readonly FilePath[],
  address: () => Promise<string | undefined>,
): Promise<ProjectSlug> {
  const notices: string[] = []
  for (const root of new Set(roots)) {
    const own = await readProjectConfig(root)
    notices.push(...own.notices)
    const found = named(own.config)
    if (found !== undefined) return { slug: checked(found), namedBy: 'file', notices }
  }
  const found = fromAddress(await address())
  return found === undefined ? { notices } : { slug: checked(found), namedBy: 'remote', notices }
}

type NamedSlug = readonly [slug: string, from: string]

function checked([slug, from]: NamedSlug): string {
  const why = slugObjection(slug)
  if (why !== undefined) throw new InvalidSlugError(slug, { from, why })
  return slug
}

function named(config: JsonObject | undefined): NamedSlug | undefined {
  const own = text(config?.get('vault_project'))
  if (own !== undefined) return [own, '"vault_project" in .harness/project.json']
  const github = config?.get('github')
  const repository = text(github instanceof Map ? github.get('repo') : undefined)
  const slug = repository === undefined ? undefined : slugOfRepository(repository)
  return slug === undefined ? undefined : [slug, '"github.repo" in .harness/project.json']
}

function fromAddress(address: string | undefined): NamedSlug | undefined {
  const slug = address === undefined ? undefined : slugOfAddress(address)
  return slug === undefined ? undefined : [slug, 'the address of the git remote "origin"']
}

async function readProjectConfig(root: FilePath): Promise<{ config?: JsonObject; notices: string[] }> {
  const found = await findProjectFile(root, 'project.json')
  if (found === undefined) return { notices: [] }
  try {
    const config = parseJson(found)
    if (config instanceof Map) return { config, notices: [] }
    return { notices: ['.harness/project.json does not hold an object and is not used. Repair it, or delete it.'] }
  } catch (error) {
    return {
      notices: [
        `.harness/project.json is not JSON and is not used (${error instanceof Error ? error.message : String(error)}). Repair it, or delete it.`,
      ],
    }
  }
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && strip(value) !== '' ? strip(value) : undefined
}
