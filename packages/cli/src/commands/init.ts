/** The first use: chooses where notes are stored. Existing settings are kept. The store gets its marker. */
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import {
  chooseProtocol,
  findConfigValue,
  type InstallConfig,
  processWorld,
  readInstallConfig,
  type SelectionWorld,
  setConfigValue,
} from '@agentm/selection'
import type { OpenedStorage } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { hosts } from '../hosts/hosts.ts'
import { agentmPlaces } from '../places.ts'
import { shellWord } from '../pure/shell-word.ts'
import { typed } from '../typed.ts'

const vaultKey = 'plugins.obsidian-vault.vault_path'
const vaultVariable = 'MEMORY_VAULT_PATH'

export const init: Command = {
  summary: 'choose where notes are stored, or connect an agent',
  details: `Asks where to store notes, or takes the answer from the options. Existing settings are never overwritten: an option that contradicts one is refused.\nWith --host HOST it connects a coding agent instead: it says which files of HOST change, and adds the MCP server and the hooks that HOST supports. Everything else in the files is kept. HOST is one of ${hosts.map(({ name }) => name).join(', ')}.`,
  options: {
    yes: { help: 'ask nothing; store notes on this device' },
    vault: { value: 'DIR', help: 'store notes in this vault, a directory that a sync program may replicate' },
    host: { value: 'HOST', help: 'connect this coding agent: its MCP server and its hooks' },
    remove: { help: 'with --host: remove what --host added, and nothing else' },
    'dry-run': { help: 'with --host: print what would change; change nothing' },
    'local-state': { help: 'keep plan and progress files in each checkout, even if notes are in a vault' },
  },
  async run(call) {
    const host = call.get('host')
    if (host !== undefined) return (await import('./init-host.ts')).initHost(host, call)
    for (const option of ['remove', 'dry-run'])
      if (call.has(option)) throw new UsageError(`--${option} works only together with --host HOST.`)
    const world = processWorld()
    const kept = await configure(await wishes(call, world), world)
    const storage = await (await call.workspace()).storage()
    return answer({ storage, kept, places: await agentmPlaces(world) })
  },
}

interface Wishes {
  readonly backend: 'device-local' | 'vault'
  readonly vault?: string
  readonly localState: boolean
}

async function wishes(call: Call, world: SelectionWorld): Promise<Wishes> {
  const localState = call.has('local-state')
  const vault = call.get('vault') ?? (await askForVault(call, world))
  if (vault !== undefined) return { backend: 'vault', vault: absolute(vault, call), localState }
  return { backend: 'device-local', localState }
}

/** An absolute path, because the configuration has no working directory. `~` is resolved by the settings. */
function absolute(vault: string, { cwd }: Call): string {
  return vault.trim() === '' || vault.startsWith('~') ? vault : path.resolve(cwd, vault)
}

async function askForVault(call: Call, world: SelectionWorld): Promise<string | undefined> {
  const decided = call.has('yes') || call.json || !call.terminal.isInteractive
  if (decided || (await findConfigValue('storage.backend', world)) !== undefined) return undefined
  call.terminal.out(
    'Notes can be stored on this device, or in a vault (Obsidian, Drive, iCloud, Dropbox, Syncthing).\n',
  )
  const vault = await call.terminal.ask('Directory of the vault (press Enter for this device): ')
  return vault === '' ? undefined : vault
}

/** Sets what is not set yet, and returns the keys that were already set. Refuses to change an existing choice. */
async function configure(wanted: Wishes, world: SelectionWorld): Promise<readonly string[]> {
  const config = await readInstallConfig(world)
  const { 'storage.backend': present, [vaultKey]: place, state_mode: mode } = config.values
  const { origin } = chooseProtocol(config, world.env)
  await refuseOther(wanted, config, world)
  const { backend, vault, localState } = wanted
  const kept: string[] = []
  // The path first, because a process that starts in between refuses a vault backend without a path.
  if (vault !== undefined && place === undefined) await setConfigValue(vaultKey, vault, world)
  else if (place !== undefined) kept.push(vaultKey)
  if (present !== undefined) kept.push('storage.backend')
  // A vault in the environment, or in a setting of an older version, is already a choice.
  else if (vault === undefined && origin !== 'default') kept.push(origin === 'legacy' ? 'vault_path' : vaultVariable)
  else await setConfigValue('storage.backend', backend, world)
  if (localState && mode === undefined) await setConfigValue('state_mode', 'local', world)
  return kept
}

/** Refuses an option that contradicts the configuration, instead of ignoring it. */
async function refuseOther(
  { vault, localState }: Wishes,
  { values }: InstallConfig,
  world: SelectionWorld,
): Promise<void> {
  const { 'storage.backend': backend, [vaultKey]: place, vault_path: legacy, state_mode: mode } = values
  if (localState && mode !== undefined && mode !== 'local')
    throw new UsageError(
      `state_mode is already set to ${JSON.stringify(mode)}. To change it: agentm config set state_mode local`,
    )
  if (vault === undefined) return
  if (backend !== undefined && backend !== 'vault')
    throw new UsageError(
      `storage.backend is already set to ${JSON.stringify(backend)}. To change it: agentm config set storage.backend vault`,
    )
  const variable = world.env[vaultVariable]?.trim() || undefined
  const named = variable ?? place ?? legacy
  if (named === undefined || (await placeOf(named, world)) === (await placeOf(vault, world))) return
  const cure =
    variable === undefined
      ? `agentm config set ${vaultKey} ${shellWord(vault)} && agentm config unset plugins.obsidian-vault.store_id`
      : `unset the environment variable ${vaultVariable}`
  throw new UsageError(
    `notes are already stored in the vault ${named}, so nothing was changed. ` +
      `To store new notes in ${vault} instead (existing notes are not moved): ${cure}`,
  )
}

/** The real path, so that two spellings of one directory count as the same vault. */
async function placeOf(directory: string, { home }: SelectionWorld): Promise<string> {
  const place = path.resolve(directory.replace(/^~(?=$|[/\\])/, home))
  return realpath(place).catch(() => place)
}

function answer(done: {
  readonly storage: OpenedStorage
  readonly kept: readonly string[]
  readonly places: Awaited<ReturnType<typeof agentmPlaces>>
}): Answer {
  const { storage, kept, places } = done
  const lines = [
    `Notes are stored with the backend ${storage.protocol}, in the store ${storage.storeId}.`,
    ...(kept.length === 0 ? [] : [`Already set, and not changed: ${kept.join(', ')}.`]),
    ...places.map(({ name, place }) => `  ${name.padEnd(8)} ${place}`),
    typed('Next: connect an agent with agentm init --host HOST. To check the installation: agentm doctor'),
  ]
  return {
    text: lines.join('\n'),
    data: {
      protocol: storage.protocol,
      storeId: storage.storeId,
      kept,
      places: Object.fromEntries(places.map(({ name, place }) => [name, place])),
    },
  }
}
