/**
 * Which project a directory belongs to, and which backend stores its state. An error of the backend is part of the result: readers
 * continue without the backend and say so, writers throw.
 */
import { realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Locator, StorageBackend } from '@agentm/storage-seam'
import {
  isStorageSelectionError,
  readConfiguredMode,
  selectBackend,
  StorageSelectionError,
} from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'
import { findCheckout, type FoundCheckout } from './find-checkout.ts'
import { originUrl } from './origin-url.ts'
import { findProjectFile, harnessDirectory } from './project-file.ts'
import { findProjectSlug } from './project-slug.ts'
import { bindingOf, type Checkout, describeBindings, type ProjectBinding } from './pure/project-binding.ts'
import { remoteIdentity } from './pure/remote-identity.ts'
import { slugOfDirectory } from './pure/slug.ts'
import type { Repo } from './pure/repos-document.ts'
import { readRepos } from './read-repos.ts'
import { rootSlug } from './root-slug.ts'
import { SlugBoundError } from './routing-errors.ts'
import type { RoutingWorld } from './routing-world.ts'
import { findStateMode } from './state-mode.ts'

/**
 * The project of a directory, and the backend that stores its state. `selectionError` says why there is no backend: readers
 * continue without one, writers throw.
 */
export interface Project {
  /** Absent if the project has no name. Then no backend is selected, and state stays in the checkout. */
  readonly slug?: string
  /** What named the project: its `project.json`, its git remote, or its directory. With the last, state stays in the checkout. */
  readonly namedBy?: 'file' | 'remote' | 'root'
  readonly projectLocator?: Locator
  readonly backend?: StorageBackend
  /** The root of the checkout, even if a directory below it was given. */
  readonly projectRoot: FilePath
  /** The text of the nearest `.harness/active-plan`, from the directory up to the root. */
  readonly findPlanMarker: () => Promise<string | undefined>
  /** The directory of projects in the store: `projects/` (new), `personal-projects/` (legacy), `desk/projects/` (desk). */
  readonly layout: ProjectLayout
  /** Why no backend was selected. */
  readonly selectionError?: Error
  /** Why the project's data in the backend may not be written: the name belongs to another repository, or the registry is corrupt. */
  readonly bindingError?: Error
  readonly binding: ProjectBinding
  readonly checkout: Checkout
  /** `false` if the checkout asks not to be registered automatically. */
  readonly registers: boolean
  readonly stateMode?: string
  /** Stores files that stay in the checkout, below `.harness/`. */
  readonly localState: StorageBackend
  /** What a person should know. */
  readonly notices: readonly string[]
}

/** Which directories of a store projects are in. */
export type ProjectLayout = 'none' | 'new' | 'legacy' | 'desk'

/**
 * Finds the project of a directory and the backend that keeps its state.
 *
 * @example
 * ```ts
 * import { DeviceLocalBackend } from '@agentm/backend-device-local'
 * import { readStateFile, resolveProject, writeStateFile } from '@agentm/routing'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const home = await mkdtemp(path.join(tmpdir(), 'home-'))
 * const world = {
 *   selection: { env: { MEMORY_VAULT_PATH: '/not/mounted' }, home, installations: [] },
 *   originUrl: async () => 'git@github.com:ada/engine.git',
 *   openLocal: (root: string) => new DeviceLocalBackend(root),
 * }
 * const project = await resolveProject({ cwd: home }, world)
 * console.log(project.slug, project.selectionError?.name) // engine BackendNotInstalledError
 * await writeStateFile(project, 'PLAN.md', 'Status: active').catch(({ code }) => console.log('refused:', code)) // refused: STORAGE_SELECTION
 * ```
 */
export async function resolveProject({ cwd }: { readonly cwd: string }, world: RoutingWorld): Promise<Project> {
  const place = await findCheckout(cwd, world.selection.home)
  const address = once(() => (world.originUrl ?? ((root) => originUrl(root, world.selection.env)))(place.root))
  // Read first and without a backend, because local state is the way out if the backend is unavailable.
  const mode = await findStateMode(place.upToTop, () => configuredMode(world))
  const { notices, ...named } = await findProjectSlug([place.root, place.main], address)
  const here = { ...(await checkoutAt(place, await address())), ...(mode === undefined ? {} : { stateMode: mode }) }
  const told = [...place.notices, ...notices, ...modeNotice(mode)]
  const rest = {
    ...here,
    projectRoot: place.root,
    localState: world.openLocal(harnessDirectory(place.root)),
    findPlanMarker: () => nearestMarker(place.upToRoot),
  }
  if (named.slug === undefined && !place.isRepository)
    return { ...rest, layout: 'none', binding: 'unbound', notices: told }
  const { notice, ...found } = await placeProject(named, here, world)
  const refused = [found.selectionError, found.bindingError].filter((error) => error !== undefined)
  const also = [...refused.map(({ message }) => message), ...(notice === undefined ? [] : [notice])]
  return { ...rest, ...found, notices: [...told, ...also] }
}

type Here = Pick<Project, 'checkout' | 'registers'>

async function checkoutAt({ main, upToTop }: FoundCheckout, address: string | undefined): Promise<Here> {
  const remote = remoteIdentity(address ?? '')
  const asks = await Promise.all(upToTop.map((each) => isThere(join(each, '.agentm-no-register'))))
  return {
    checkout: { root: await realRoot(main), ...(remote === undefined ? {} : { remote }) },
    registers: !asks.includes(true),
  }
}

async function nearestMarker(directories: readonly FilePath[]): Promise<string | undefined> {
  for (const directory of directories) {
    const marker = await findProjectFile(directory, 'active-plan')
    if (marker !== undefined) return marker
  }
  return undefined
}

type Placed = Pick<
  Project,
  'slug' | 'namedBy' | 'projectLocator' | 'backend' | 'layout' | 'selectionError' | 'bindingError' | 'binding'
> & { readonly notice?: string }

type Named = Pick<Project, 'slug' | 'namedBy'>

async function placeProject(named: Named, here: Here, world: RoutingWorld): Promise<Placed> {
  try {
    const { selection, registry } = world
    const select =
      world.backend ?? (() => selectBackend({ world: selection, ...(registry === undefined ? {} : { registry }) }))
    const backend = await select()
    const known = await knownRepos(backend)
    const { notice, ...name } = await nameOf(named, { ...here, backend, known })
    const place = await findPlace(backend, name.slug)
    const bound = known instanceof Error ? unknownBinding(known) : findBinding(known, name.slug, here.checkout)
    return { backend, ...name, ...place, ...bound, ...(notice === undefined ? {} : { notice }) }
  } catch (error) {
    const { slug, namedBy = 'root' } = named
    const name = { slug: slug ?? slugOfDirectory(basename(here.checkout.root)), namedBy }
    return { ...name, layout: 'none', binding: 'unbound', selectionError: asSelectionError(error) }
  }
}

interface NameQuestion extends Here {
  readonly backend: StorageBackend
  readonly known: readonly Repo[] | Error
}

async function nameOf(
  { slug, namedBy = 'root' }: Named,
  { backend, known, checkout, registers }: NameQuestion,
): Promise<{ readonly slug: string; readonly namedBy: 'file' | 'remote' | 'root'; readonly notice?: string }> {
  if (slug !== undefined) return { slug, namedBy }
  const repos = known instanceof Error ? [] : known
  const isKept = async (name: string) => await backend.exists((await findPlace(backend, name)).projectLocator)
  const isNoted = registers && backend.capabilities.conditionalWrite
  return { ...(await rootSlug(checkout.root, { repos, isKept, isNoted })), namedBy }
}

const layouts = [
  ['projects', 'new'],
  ['personal-projects', 'legacy'],
  ['desk/projects', 'desk'],
] as const

/** The directory of the project in the store, even if it does not exist yet. */
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

/** The registry, or the error that reading it gave. */
async function knownRepos(backend: StorageBackend): Promise<readonly Repo[] | Error> {
  try {
    return await readRepos(backend)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function unknownBinding(bindingError: Error): Pick<Project, 'binding' | 'bindingError'> {
  return { binding: 'foreign', bindingError }
}

function findBinding(
  repos: readonly Repo[],
  slug: string,
  checkout: Checkout,
): Pick<Project, 'binding' | 'bindingError'> {
  const bindings = repos.find((repo) => repo.slug === slug)?.bindings ?? []
  const binding = bindingOf(bindings, checkout)
  if (binding !== 'foreign') return { binding }
  return { binding, bindingError: new SlugBoundError(slug, describeBindings(bindings)) }
}

/** A store that fails at the first question is treated like one that could not be selected. */
function asSelectionError(error: unknown): Error {
  if (error instanceof Error && isStorageSelectionError(error)) return error
  const what = error instanceof Error ? error.message : String(error)
  const gone = (error as { code?: unknown } | null)?.code === 'STORE_UNAVAILABLE'
  return new StorageSelectionError(`the selected storage backend cannot be asked for this project: ${what}`, {
    reason: gone ? 'no-root' : 'plugin',
    cause: error,
  })
}

/** An invalid config is refused when the backend is selected. Here it is ignored. */
async function configuredMode(world: RoutingWorld): Promise<string | undefined> {
  try {
    return await readConfiguredMode(world.selection)
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
