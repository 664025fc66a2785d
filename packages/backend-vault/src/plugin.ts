import path from 'node:path'
import { type BackendPlugin, type BackendSettings, seamMajor, StoreUnavailableError } from '@agentm/storage-seam'
import { type FilePath, filePath } from '@agentm/vault-lock'
import { VaultBackend } from './vault-backend.ts'

/**
 * Settings: `vault_path`, an absolute directory; `memory_root`, a directory below it, if memory is not the whole vault; `personal_root`,
 * the vault around the store, if a person may allow writes there; `store_id`, the id that the store must have; `allow_links`, directories
 * outside the vault that links may lead to.
 */
export const plugin: BackendPlugin = {
  protocol: 'vault',
  seam: seamMajor,
  settingsKey: 'plugins.obsidian-vault',
  rootSetting: ['vault_path', 'memory_root'],
  async open(settings) {
    const storeId = textOf(settings, 'store_id')
    const personalRoot = textOf(settings, 'personal_root')
    return new VaultBackend(rootOf(settings), {
      ...(personalRoot === undefined ? {} : { personalRoot: filePath(personalRoot) }),
      ...(storeId === undefined ? {} : { storeId }),
      allowLinks: listOf(settings, 'allow_links').map(filePath),
    })
  },
}

/** The store's root: `memory_root` inside `vault_path`. The lock is also named after this joined directory. */
function rootOf(settings: BackendSettings): FilePath {
  const vault = textOf(settings, 'vault_path')
  if (vault === undefined)
    throw new StoreUnavailableError(
      'the vault backend has no directory. Set plugins.obsidian-vault.vault_path to an absolute path.',
    )
  const below = textOf(settings, 'memory_root') ?? '.'
  const root = path.join(vault, below)
  if (path.isAbsolute(below) || path.relative(vault, root).split(path.sep)[0] === '..')
    throw new StoreUnavailableError(
      `plugins.obsidian-vault.memory_root is ${JSON.stringify(below)}, which is not a directory inside the vault. Make it relative to vault_path.`,
    )
  return filePath(root)
}

function textOf(settings: BackendSettings, name: string): string | undefined {
  const value = settings[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function listOf(settings: BackendSettings, name: string): readonly string[] {
  const value = settings[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
