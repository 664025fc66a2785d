/**
 * Which project a directory belongs to, and which backend keeps its state. What is in the way of the backend is carried
 * along: whoever reads or displays can go on without it and say so, whoever writes must refuse.
 */
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, StorageBackend } from '@agentm/storage-seam'
import {
  isStorageSelectionError,
  readInstallConfig,
  selectBackend,
  StorageSelectionError,
} from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'
import { originUrl } from './origin-url.ts'
import { harnessDirectory } from './project-file.ts'
import { findProjectSlug } from './project-slug.ts'
import { bindingOf, type Checkout, describeBindings, type ProjectBinding } from './pure/project-binding.ts'
import { remoteIdentity } from './pure/remote-identity.ts'
import { findRepo } from './read-repos.ts'
import { SlugBoundError } from './routing-errors.ts'
import type { RoutingWorld } from './routing-world.ts'
import { findStateMode } from './state-mode.ts'

export interface Project {
  /** Absent where nothing names the project; then nothing is selected and state stays with the checkout. */
  readonly slug?: string
  readonly projectLocator?: Locator
  readonly backend?: StorageBackend
  readonly projectRoot: FilePath
  /** Where the project lies in the store: `projects/` (new), `personal-projects/` (legacy), `desk/projects/` (desk). */
  readonly layout: ProjectLayout
  /** What made selection refuse. */
  readonly selectionError?: Error
  /** What makes the backend's copy of this project not ours to write: another repository's name, a corrupt registry. */
  readonly bindingError?: Error
  readonly binding: ProjectBinding
  readonly checkout: Checkout
  /** The checkout asks that it is not entered into the registry by itself. */
  readonly registers: boolean
  readonly stateMode?: string
  /** Keeps what stays with the checkout, below `.harness/`. */
  readonly localState: StorageBackend
  /** What a person should know. */
  readonly notices: readonly string[]
}

export type ProjectLayout = 'none' | 'new' | 'legacy' | 'desk'

export async function resolveProject({ cwd }: { readonly cwd: FilePath }, world: RoutingWorld): Promise<Project> {
  const address = once(() => (world.originUrl ?? ((root) => originUrl(root, world.selection.env)))(cwd))
  // Asked first, and without a backend: it is the way out when the backend cannot be had.
  const mode = await findStateMode(cwd, () => configuredMode(world))
  const { slug, notices } = await findProjectSlug(cwd, address)
  const remote = remoteIdentity((await address()) ?? '')
  const checkout = { root: await realRoot(cwd), ...(remote === undefined ? {} : { remote }) }
  const here = {
    projectRoot: cwd,
    checkout,
    localState: world.openLocal(harnessDirectory(cwd)),
    registers: !(await isThere(join(cwd, '.agentm-no-register'))),
    ...(mode === undefined ? {} : { stateMode: mode }),
  }
  const told = [...notices, ...modeNotice(mode)]
  if (slug === undefined) return { ...here, layout: 'none', binding: 'unbound', notices: told }
  const found = await placeProject(slug, checkout, world)
  const refused = [found.selectionError, found.bindingError].filter((error) => error !== undefined)
  return { ...here, slug, ...found, notices: [...told, ...refused.map(({ message }) => message)] }
}

type Placed = Pick<Project, 'projectLocator' | 'backend' | 'layout' | 'selectionError' | 'bindingError' | 'binding'>

async function placeProject(slug: string, checkout: Checkout, world: RoutingWorld): Promise<Placed> {
  try {
    const { selection, registry } = world
    const backend = await selectBackend({ world: selection, ...(registry === undefined ? {} : { registry }) })
    const place = await findPlace(backend, slug)
    return { backend, ...place, ...(await findBinding(backend, slug, checkout)) }
  } catch (error) {
    return { layout: 'none', binding: 'unbound', selectionError: asSelectionError(error) }
  }
}

const layouts = [
  ['projects', 'new'],
  ['personal-projects', 'legacy'],
  ['desk/projects', 'desk'],
] as const

/** Where the project is kept already, else where it will be. */
async function findPlace(
  backend: StorageBackend,
  slug: string,
): Promise<{ projectLocator: Locator; layout: ProjectLayout }> {
  for (const [directory, layout] of layouts) {
    const projectLocator = backend.resolve(directory, slug)
    if (await backend.exists(projectLocator)) return { projectLocator, layout }
  }
  return { projectLocator: backend.resolve('projects', slug), layout: 'new' }
}

async function findBinding(
  backend: StorageBackend,
  slug: string,
  checkout: Checkout,
): Promise<Pick<Project, 'binding' | 'bindingError'>> {
  try {
    const bindings = (await findRepo(backend, slug))?.bindings ?? []
    const binding = bindingOf(bindings, checkout)
    if (binding !== 'foreign') return { binding }
    return { binding, bindingError: new SlugBoundError(slug, describeBindings(bindings)) }
  } catch (error) {
    return { binding: 'foreign', bindingError: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** A store that fails while it is asked for the project is as unusable as one that was not selected. */
function asSelectionError(error: unknown): Error {
  if (error instanceof Error && isStorageSelectionError(error)) return error
  const what = error instanceof Error ? error.message : String(error)
  const gone = (error as { code?: unknown } | null)?.code === 'STORE_UNAVAILABLE'
  return new StorageSelectionError(`the selected storage backend cannot be asked for this project: ${what}`, {
    reason: gone ? 'no-root' : 'plugin',
    cause: error,
  })
}

/** A config that cannot be read is refused where the backend is selected; here it only says nothing. */
async function configuredMode(world: RoutingWorld): Promise<string | undefined> {
  try {
    return (await readInstallConfig(world.selection)).stateMode
  } catch (error) {
    if (isStorageSelectionError(error)) return undefined
    throw error
  }
}

function modeNotice(mode: string | undefined): string[] {
  if (mode === undefined || mode === 'local' || mode === 'backend') return []
  return [`the state mode is ${JSON.stringify(mode)}, which has no effect; "local" keeps state with the checkout`]
}

async function realRoot(root: FilePath): Promise<string> {
  return await realpath(root).catch(() => root)
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => (answer ??= ask())
}
