/** First use: where memory is kept. What is configured already stays; a store gets its marker. */
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
import { mcpHosts } from '../hosts/mcp-hosts.ts'
import { agentmPlaces } from '../places.ts'
import { shellWord } from '../pure/shell-word.ts'

const vaultKey = 'plugins.obsidian-vault.vault_path'
const vaultVariable = 'MEMORY_VAULT_PATH'

export const init: Command = {
  summary: 'choose where memory is kept',
  details: `Asks, or takes the answers as options. Settings that are there already are kept, never overwritten; an
option that asks for something else is refused.
With --mcp it tells a host how to start the MCP server instead. HOST is ${mcpHosts.map(({ name }) => name).join(', ')}.`,
  options: {
    yes: { help: 'ask nothing: memory on this device' },
    vault: { value: 'DIR', help: 'memory in this vault, which a sync program replicates' },
    mcp: { value: 'HOST', help: 'let this host start the MCP server; the rest of its configuration stays as it is' },
    print: { help: 'with --mcp: print what belongs into its configuration, and write nothing' },
    'local-state': { help: 'keep plan and progress files with each checkout, also when memory is in a vault' },
  },
  async run(call) {
    const host = call.get('mcp')
    if (host !== undefined) return (await import('./init-mcp.ts')).initMcp(host, call)
    if (call.has('print')) throw new UsageError('--print goes with --mcp HOST.')
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

/** As a person means it who types it here; the configuration knows no directory to start from. `~` is read by the settings. */
function absolute(vault: string, { cwd }: Call): string {
  return vault.trim() === '' || vault.startsWith('~') ? vault : path.resolve(cwd, vault)
}

async function askForVault(call: Call, world: SelectionWorld): Promise<string | undefined> {
  const decided = call.has('yes') || call.json || !call.terminal.isInteractive
  if (decided || (await findConfigValue('storage.backend', world)) !== undefined) return undefined
  call.terminal.out('Memory can live on this device, or in a vault (Obsidian, Drive, iCloud, Dropbox, Syncthing).\n')
  const vault = await call.terminal.ask('Directory of the vault, or Enter for this device: ')
  return vault === '' ? undefined : vault
}

/** Sets what is not set yet; answers what was there already and stays. Refuses to turn one choice into another. */
async function configure(wanted: Wishes, world: SelectionWorld): Promise<readonly string[]> {
  const config = await readInstallConfig(world)
  const { 'storage.backend': present, [vaultKey]: place, state_mode: mode } = config.values
  const { origin } = chooseProtocol(config, world.env)
  await refuseOther(wanted, config, world)
  const { backend, vault, localState } = wanted
  const kept: string[] = []
  // The path first: a backend that is chosen and has no place is refused by everybody who meets it in between.
  if (vault !== undefined && place === undefined) await setConfigValue(vaultKey, vault, world)
  else if (place !== undefined) kept.push(vaultKey)
  if (present !== undefined) kept.push('storage.backend')
  // Who names a vault in the environment, or in the way of an older installation, has chosen.
  else if (vault === undefined && origin !== 'default') kept.push(origin === 'legacy' ? 'vault_path' : vaultVariable)
  else await setConfigValue('storage.backend', backend, world)
  if (localState && mode === undefined) await setConfigValue('state_mode', 'local', world)
  return kept
}

/** An option that asks for something else than what is configured is not passed over in silence. */
async function refuseOther(
  { vault, localState }: Wishes,
  { values }: InstallConfig,
  world: SelectionWorld,
): Promise<void> {
  const { 'storage.backend': backend, [vaultKey]: place, vault_path: legacy, state_mode: mode } = values
  if (localState && mode !== undefined && mode !== 'local')
    throw new UsageError(
      `state_mode is ${JSON.stringify(mode)} already. To change it: agentm config set state_mode local.`,
    )
  if (vault === undefined) return
  if (backend !== undefined && backend !== 'vault')
    throw new UsageError(
      `storage.backend is ${JSON.stringify(backend)} already. To change it: agentm config set storage.backend vault.`,
    )
  const variable = world.env[vaultVariable]?.trim() || undefined
  const named = variable ?? place ?? legacy
  if (named === undefined || (await placeOf(named, world)) === (await placeOf(vault, world))) return
  const cure =
    variable === undefined
      ? `agentm config set ${vaultKey} ${shellWord(vault)}, agentm config unset plugins.obsidian-vault.store_id`
      : `unset ${vaultVariable}, which names it`
  throw new UsageError(
    `memory is kept in the vault ${named} already. Nothing was changed, and ${vault} is not used. ` +
      `To keep it there from now on (notes stay where they are): ${cure}.`,
  )
}

/** What exists of it by its real name: two spellings of one directory are no two vaults. */
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
    `Memory is kept by ${storage.protocol}, store ${storage.storeId}.`,
    ...(kept.length === 0 ? [] : [`Kept as it was: ${kept.join(', ')}.`]),
    ...places.map(({ name, place }) => `  ${name.padEnd(8)} ${place}`),
    'Next: agentm doctor says what is selected; agentm --help lists the rest.',
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
