/** A checkout of its own for one test, on a machine of its own: a home, an install config, perhaps a vault. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Project, resolveProject, type RoutingWorld } from '@agentm/routing'
import { BackendRegistry, Capabilities, type CapabilityName } from '@agentm/storage-seam'
import { DirectoryBackend, filePath, type FilePath } from '@agentm/vault-lock'
import { onTestFinished } from 'vitest'
import { FilesBackend } from './files-backend.ts'

export interface OwnCheckout {
  readonly home: FilePath
  readonly root: FilePath
  /** Where the vault is, or would be. */
  readonly vault: FilePath
  readonly world: RoutingWorld
  /** Writes a file below the checkout. */
  readonly put: (name: string, text: string | Uint8Array) => Promise<void>
  readonly putInVault: (name: string, text: string | Uint8Array) => Promise<void>
  readonly config: (settings: Readonly<Record<string, unknown>>) => Promise<void>
  readonly resolve: (root?: FilePath) => Promise<Project>
  /** Every file below a directory, with its text. */
  readonly filesBelow: (directory: string) => Promise<Record<string, string>>
}

export interface CheckoutOptions {
  /** Makes a vault and configures it. */
  readonly vault?: boolean
  readonly declares?: Partial<Record<CapabilityName, boolean>>
  /** What `git remote get-url origin` answers. */
  readonly origin?: string
}

const synced = { sync: true, conflictFiles: true, conditionalWrite: true }

export async function ownCheckout(options: CheckoutOptions = {}): Promise<OwnCheckout> {
  const { vault: hasVault = false, declares = synced, origin } = options
  const home = filePath(await realpath(await mkdtemp(join(tmpdir(), 'agentm-routing-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const [root, vault] = [filePath(join(home, 'src/app')), filePath(join(home, 'vault'))]
  await mkdir(root, { recursive: true })
  const put = writerBelow(root)
  const config = async (settings: Readonly<Record<string, unknown>>) =>
    await writerBelow(home)('.claude/.agentm-config.json', JSON.stringify(settings))
  if (hasVault) {
    await mkdir(vault)
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault })
  }
  const world: RoutingWorld = {
    selection: { env: {}, home, installations: [] },
    registry: pluginsFor(declares),
    openLocal: (at) => new CheckoutFiles(at, { followLinks: false, lockRoot: filePath(join(home, 'locks')) }),
    originUrl: async () => await Promise.resolve(origin),
  }
  const resolve = async (cwd = root) => await resolveProject({ cwd }, world)
  return { home, root, vault, world, put, putInVault: writerBelow(vault), config, resolve, filesBelow }
}

/** As the device-local backend, which is no dependency of this package. */
class CheckoutFiles extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true })
}

function pluginsFor(declares: Partial<Record<CapabilityName, boolean>>): BackendRegistry {
  const registry = new BackendRegistry()
  registry.register({
    protocol: 'vault',
    seam: 1,
    settingsKey: 'plugins.obsidian-vault',
    rootSetting: ['vault_path', 'memory_root'],
    open: async ({ root }) => await Promise.resolve(new FilesBackend(String(root), declares)),
  })
  registry.register({
    protocol: 'device-local',
    seam: 1,
    settingsKey: 'plugins.device-local',
    rootSetting: 'root',
    open: async ({ root }) => await Promise.resolve(new FilesBackend(String(root))),
  })
  return registry
}

function writerBelow(directory: string): (name: string, text: string | Uint8Array) => Promise<void> {
  return async (name, text) => {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
}

async function filesBelow(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    // What writers say there about their locks, which git is told to leave alone.
    .filter((file) => !file.includes('/.agentm-locks/'))
  const texts = await Promise.all(files.toSorted().map((file) => readFile(file, 'utf8')))
  return Object.fromEntries(files.toSorted().map((file, i) => [file.slice(directory.length + 1), texts[i] ?? '']))
}
