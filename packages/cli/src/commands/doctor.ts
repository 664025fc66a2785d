/** What is selected here, where everything is, and what is wrong; nothing is changed. The storage line is the refusal itself. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import {
  agentmHome,
  configFile,
  findStoreRoot,
  parseCapabilities,
  previewStorage,
  resolveStorage,
  type SelectionWorld,
} from '@agentm/selection'
import { Locator } from '@agentm/storage-seam'
import { unusableNames } from '@agentm/vault-lock'
import { phases, type WorkspaceReader } from '@agentm/workspace/reader'
import { phaseBudget } from '@agentm/process-seam'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { indented } from '../report-error.ts'
import { shellWord } from '../pure/shell-word.ts'
import { agentRows } from './agent-rows.ts'
import { kindRows } from './kind-rows.ts'
import { lockRows } from './lock-rows.ts'
import { projectRows } from './project-rows.ts'
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
    const reader = await call.reader()
    return requires === undefined ? checkUp(reader) : checkRequired(requires, reader, call)
  },
}

async function checkUp(reader: WorkspaceReader): Promise<Answer> {
  const { selection: world } = reader.routing
  const preview = await previewStorage({ world })
  const fault = await reader.settings().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const rows: Row[] = [
    { name: 'storage', status: preview.status, text: preview.text },
    ...(await lockRows(reader)),
    ...(await nameRows(reader)),
    ...(fault === undefined ? await configuredRows(reader) : [configRow(fault), ...(await placeRows(world))]),
    ...budgetRows(),
  ]
  const failed = rows.some(({ status }) => status === 'fail')
  return {
    text: rows.map(({ name, status, text }) => `${name} [${status.toUpperCase()}] ${indented(text)}`).join('\n'),
    data: { rows },
    exit: failed ? 1 : 0,
  }
}

/** Nothing else that the config says can be looked at, either. */
function configRow(text: string): Row {
  return { name: 'config', status: 'fail', text }
}

async function configuredRows(reader: WorkspaceReader): Promise<Row[]> {
  const { selection: world } = reader.routing
  const damaged = await damagedRows(reader)
  // Of a damaged log nothing else is worth saying.
  const stuck = damaged.length > 0 ? [] : await stuckRows(reader)
  const isLogRead = [...damaged, ...stuck].every(({ name }) => name !== 'log')
  const log = isLogRead ? await reader.logPlace() : undefined
  return [
    okRow('config', configFile(world)),
    ...(await placeRows(world, log)),
    ...damaged,
    ...(await projectRows(reader)),
    ...(await agentRows(reader)),
    ...(await kindRows(reader)),
    ...stuck,
  ]
}

/** Where the home is, and the log. */
async function placeRows(world: SelectionWorld, log?: string): Promise<Row[]> {
  const home = agentmHome(world)
  if (log === undefined) return [await privateRow('home', home)]
  // Whoever may not look into the home does not reach a log inside it.
  return [
    await privateRow('home', home),
    log.startsWith(path.join(home, path.sep)) ? okRow('log', log) : await privateRow('log', log),
  ]
}

/** Every page of the log is read; what cannot be opened at all is said with the plans in it. */
async function damagedRows(reader: WorkspaceReader): Promise<Row[]> {
  const [first, ...more] = await reader.logDamage().catch(() => [])
  if (first === undefined) return []
  const others = more.length === 0 ? '' : ` (${more.length} more: agentm log check)`
  const text = `${await reader.logPlace()} is damaged: ${first}${others}. Stop what uses it; then agentm log rebuild writes it anew from its history, and where that is damaged too, agentm log restore FILE puts a backup in its place`
  return [{ name: 'log', status: 'fail', text }]
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

/** Notes and directories that no command sees. */
async function nameRows({ routing }: WorkspaceReader): Promise<Row[]> {
  const root = await findStoreRoot({ world: routing.selection }).catch(() => undefined)
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

async function checkRequired(list: string, { routing }: WorkspaceReader, { terminal }: Call): Promise<Answer> {
  const parsed = parseCapabilities(list)
  if ('unknown' in parsed)
    throw new UsageError(`there is no capability ${parsed.unknown.join(', ')}. There are: ${parsed.valid.join(', ')}.`)
  const resolution = await resolveStorage({ world: routing.selection, required: parsed.required })
  if (!resolution.ok) {
    const message = resolution.error instanceof Error ? resolution.error.message : String(resolution.error)
    return { text: terminal.red(`FAIL: ${message}`), data: { ok: false, message }, exit: 1 }
  }
  const { protocol } = resolution.storage
  const text = `PASS: backend '${protocol}' satisfies required capabilities: ${parsed.names.join(', ')}`
  return { text, data: { ok: true, protocol, capabilities: parsed.names } }
}
