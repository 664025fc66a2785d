/** A machine of its own for one test: home, install prefix, registry; nothing of the real one is looked at. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type BackendPlugin,
  BackendRegistry,
  Capabilities,
  type CapabilityName,
  type Info,
  type Locator,
  NotFoundError,
  StorageBackend,
} from '@agentm/storage-seam'
import type { FilePath } from '@agentm/vault-lock'
import type { SelectionWorld } from '@agentm/selection'
import { onTestFinished } from 'vitest'

export interface OwnWorld {
  readonly world: SelectionWorld
  readonly registry: BackendRegistry
  readonly home: FilePath
  readonly configFile: FilePath
  /** Writes the install config. */
  readonly config: (text: string | Readonly<Record<string, unknown>>) => Promise<void>
  /** Makes a directory below the home and answers it. */
  readonly directory: (name: string) => Promise<FilePath>
  /** The same machine, with these variables set. */
  readonly with: (env: Readonly<Record<string, string>>) => SelectionWorld
}

export async function ownWorld(env: Readonly<Record<string, string>> = {}): Promise<OwnWorld> {
  const home = (await mkdtemp(join(tmpdir(), 'agentm-selection-'))) as FilePath
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const world = { env: { XDG_CACHE_HOME: join(home, 'cache'), ...env }, home, installations: [] }
  const configFile = join(home, '.claude/.agentm-config.json') as FilePath
  const registry = new BackendRegistry()
  registry.register(memoryPlugin('device-local', { settingsKey: 'plugins.device-local', rootSetting: 'root' }))
  return {
    world,
    registry,
    home,
    configFile,
    config: async (text) => {
      await mkdir(dirname(configFile), { recursive: true })
      await writeFile(configFile, typeof text === 'string' ? text : JSON.stringify(text))
    },
    directory: async (name) => {
      const made = join(home, name) as FilePath
      await mkdir(made, { recursive: true })
      return made
    },
    with: (more) => ({ ...world, env: { ...world.env, ...more } }),
  }
}

/** What a plugin of ours looks like, around a backend that keeps only what it is given. */
export function memoryPlugin(
  protocol: string,
  options: Partial<BackendPlugin> & {
    readonly declares?: Partial<Record<CapabilityName, boolean>>
    readonly texts?: Texts
  } = {},
): BackendPlugin & { readonly opened: Array<Readonly<Record<string, unknown>>> } {
  const { declares = {}, texts = {}, ...rest } = options
  const opened: Array<Readonly<Record<string, unknown>>> = []
  return {
    protocol,
    seam: 1,
    settingsKey: `plugins.${protocol}`,
    opened,
    async open(settings) {
      opened.push(settings)
      return await Promise.resolve(new Nothing(new Capabilities(declares), texts))
    },
    ...rest,
  }
}

/** Texts by key. */
type Texts = Readonly<Record<string, string>>

export const vaultPlugin = (texts: Texts = {}) =>
  memoryPlugin('vault', {
    texts,
    settingsKey: 'plugins.obsidian-vault',
    rootSetting: ['vault_path', 'memory_root'],
    declares: { sync: true, concurrentWriters: true, conflictFiles: true, conditionalWrite: true },
  })

class Nothing extends StorageBackend {
  readonly capabilities: Capabilities
  readonly #texts: Texts
  constructor(capabilities: Capabilities, texts: Texts) {
    super()
    this.#texts = texts
    this.capabilities = capabilities
  }
  async read(at: Locator): Promise<string> {
    const text = await Promise.resolve(this.#texts[at.key])
    if (text === undefined) throw new NotFoundError(at)
    return text
  }
  async write(at: Locator): Promise<Locator> {
    return await Promise.resolve(at)
  }
  async list(): Promise<Locator[]> {
    return await Promise.resolve([])
  }
  async exists(): Promise<boolean> {
    return await Promise.resolve(false)
  }
  async info(at: Locator): Promise<Info> {
    throw await Promise.resolve(new NotFoundError(at))
  }
  async mkdir(at: Locator): Promise<Locator> {
    return await Promise.resolve(at)
  }
}
