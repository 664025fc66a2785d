/** What is selected here, where everything is, and what is wrong; nothing is changed. The storage line is the refusal itself. */
import { stat } from 'node:fs/promises'
import {
  agentmHome,
  findStoreRoot,
  parseCapabilities,
  previewStorage,
  resolveStorage,
  type SelectionWorld,
} from '@agentm/selection'
import { Locator } from '@agentm/storage-seam'
import { lockDirectory, unusableNames } from '@agentm/vault-lock'
import { nodeLogPlace, storageRequest } from '@agentm/workspace'
import { phases } from '@agentm/workspace/reader'
import { phaseBudget } from '@agentm/process-seam'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { agentmPlaces } from '../places.ts'
import { shellWord } from '../pure/shell-word.ts'
import { agentRows } from './agent-rows.ts'
import { kindRows } from './kind-rows.ts'
import { stuckRows } from './plan/stuck-rows.ts'

interface Row {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export const doctor: Command = {
  summary: 'say what is selected here, where everything is, and what is wrong',
  details:
    'Changes nothing. A configured model is asked for its list of models, and MCP servers are started and ended. Exit code 1 when\n' +
    'something fails.',
  options: {
    requires: { value: 'CAPABILITY,…', help: 'fail unless the selected backend promises these' },
  },
  async run(call) {
    const requires = call.get('requires')
    return requires === undefined ? checkUp(call.cwd) : checkRequired(requires, call)
  },
}

async function checkUp(directory: string): Promise<Answer> {
  const request = await storageRequest()
  const preview = await previewStorage(request)
  const rows: Row[] = [
    { name: 'storage', status: preview.status, text: preview.text },
    ...(await lockRow()),
    ...(await nameRows()),
    ...(await placeRows(request.world)),
    ...(await agentRows(directory)),
    ...(await kindRows()),
    ...(await stuckRows()),
    ...budgetRows(),
  ]
  const failed = rows.some(({ status }) => status === 'fail')
  return {
    text: rows.map(({ name, status, text }) => `${name} [${status.toUpperCase()}] ${text}`).join('\n'),
    data: { rows },
    exit: failed ? 1 : 0,
  }
}

/** Where everything is. What is wrong with the config is said by the storage line. */
async function placeRows(world: SelectionWorld): Promise<Row[]> {
  const home = agentmHome(world)
  const log = await nodeLogPlace().catch(() => undefined)
  // Whoever may not look into the home does not reach a log inside it.
  const open = new Set([home, ...(log === undefined || log.startsWith(home) ? [] : [log])])
  const places = [...(await agentmPlaces(world)), ...(log === undefined ? [] : [{ name: 'log', place: log }])]
  return Promise.all(
    places.map(async ({ name, place }) => (open.has(place) ? privateRow(name, place) : okRow(name, place))),
  )
}

function okRow(name: string, text: string): Row {
  return { name, status: 'ok', text }
}

/** What was there before this program came keeps its permissions; that other users may look into it is said. */
async function privateRow(name: string, place: string): Promise<Row> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined || process.platform === 'win32' || (found.mode & 0o077) === 0) return okRow(name, place)
  const chmod = `chmod ${found.isDirectory() ? '700' : '600'} ${shellWord(place)}`
  return {
    name,
    status: 'warn',
    text: `${place} is open to other users of this machine. To keep it to yourself: ${chmod}`,
  }
}

/** Budgets that the environment names and nobody can use. */
function budgetRows(): Row[] {
  const problems = phases.flatMap((phase) => phaseBudget(phase, process.env).problem ?? [])
  return problems.map((text) => ({ name: 'budget', status: 'warn', text }))
}

/** Two processes that print different locks here do not exclude each other. */
async function lockRow(): Promise<Row[]> {
  const root = await findStoreRoot(await storageRequest()).catch(() => undefined)
  return root === undefined ? [] : [{ name: 'lock', status: 'ok', text: await lockDirectory(root) }]
}

/** Notes and directories that no command sees. */
async function nameRows(): Promise<Row[]> {
  const root = await findStoreRoot(await storageRequest()).catch(() => undefined)
  if (root === undefined) return []
  const skipped = await unusableNames(root, new Locator(''), { enter: (name) => !name.startsWith('.') })
  return skipped
    .filter(({ name }) => !name.startsWith('.'))
    .map(({ in: directory, name, why }) => ({
      name: 'name',
      status: 'warn' as const,
      text: `${JSON.stringify([directory.key, name].filter((part) => part !== '').join('/'))} is left out: ${why}. Rename it.`,
    }))
}

async function checkRequired(list: string, { terminal }: Call): Promise<Answer> {
  const parsed = parseCapabilities(list)
  if ('unknown' in parsed)
    throw new UsageError(`there is no capability ${parsed.unknown.join(', ')}. There are: ${parsed.valid.join(', ')}.`)
  const resolution = await resolveStorage({ ...(await storageRequest()), required: parsed.required })
  if (!resolution.ok) {
    const message = resolution.error instanceof Error ? resolution.error.message : String(resolution.error)
    return { text: terminal.red(`FAIL: ${message}`), data: { ok: false, message }, exit: 1 }
  }
  const { protocol } = resolution.storage
  const text = `PASS: backend '${protocol}' satisfies required capabilities: ${parsed.names.join(', ')}`
  return { text, data: { ok: true, protocol, capabilities: parsed.names } }
}
