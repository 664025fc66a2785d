/** Checks the installation and changes nothing. The storage line is the text of the refusal itself. */
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
import { sessionRows } from './session-rows.ts'
import { sandboxRows, treeRows } from './plan/tree-rows.ts'
import { scheduleRows } from './schedule/schedule-rows.ts'
import { stuckRows } from './plan/stuck-rows.ts'
import { typed } from '../typed.ts'

interface Row {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export const doctor: Command = {
  summary: 'check the installation: what is configured, where everything is stored, and what is wrong',
  details:
    'Changes nothing. It asks the configured model for its list of models, and starts and stops the configured MCP servers. The exit code ' +
    'is 1 when a check fails.',
  options: {
    requires: { value: 'CAPABILITY,…', help: 'fail unless the selected backend has these capabilities' },
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
  const found: Row[] = [
    { name: 'storage', status: preview.status, text: preview.text },
    ...(await lockRows(reader)),
    ...(await nameRows(reader)),
    ...(fault === undefined ? await configuredRows(reader) : [configRow(fault), ...(await placeRows(world))]),
    ...budgetRows(),
  ]
  const rows = found.map((row) => ({ ...row, text: typed(row.text) }))
  const failed = rows.some(({ status }) => status === 'fail')
  return {
    text: rows.map(({ name, status, text }) => `${name} [${status.toUpperCase()}] ${indented(text)}`).join('\n'),
    data: { rows },
    exit: failed ? 1 : 0,
  }
}

/** The config file cannot be read, so nothing it configures can be checked. */
function configRow(text: string): Row {
  return { name: 'config', status: 'fail', text }
}

async function configuredRows(reader: WorkspaceReader): Promise<Row[]> {
  const { selection: world } = reader.routing
  const damaged = await damagedRows(reader)
  // The plans of a damaged log are not checked.
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
    ...(isLogRead ? await scheduleRows(reader) : []),
    ...(isLogRead ? await treeRows(reader) : []),
    ...(await sandboxRows(reader)),
    ...(isLogRead ? await sessionRows(reader) : []),
  ]
}

/** The home directory, and the log. */
async function placeRows(world: SelectionWorld, log?: string): Promise<Row[]> {
  const home = agentmHome(world)
  if (log === undefined) return [await privateRow('home', home)]
  // A private home also protects a log inside it.
  return [
    await privateRow('home', home),
    log.startsWith(path.join(home, path.sep)) ? okRow('log', log) : await privateRow('log', log),
  ]
}

/** Reads every page of the log. A log that cannot be opened at all is reported by the check of the plans. */
async function damagedRows(reader: WorkspaceReader): Promise<Row[]> {
  const [first, ...more] = await reader.logDamage().catch(() => [])
  if (first === undefined) return []
  const others = more.length === 0 ? '' : ` (and ${more.length} more problems: agentm log check)`
  const text = `${await reader.logPlace()} is damaged: ${first}${others}. Stop every program that uses it, then run agentm log rebuild. If the history itself is damaged, restore a backup: agentm log restore FILE`
  return [{ name: 'log', status: 'fail', text }]
}

function okRow(name: string, text: string): Row {
  return { name, status: 'ok', text }
}

/** agentm does not change the permissions of existing files; it warns when other users can read them. */
async function privateRow(name: string, place: string): Promise<Row> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined || process.platform === 'win32' || (found.mode & 0o077) === 0) return okRow(name, place)
  const chmod = `chmod ${found.isDirectory() ? '700' : '600'} ${shellWord(place)}`
  return {
    name,
    status: 'warn',
    text: `${place} can be read by other users of this machine. To make it private: ${chmod}`,
  }
}

/** Budgets in the environment that are not valid. */
function budgetRows(): Row[] {
  const problems = phases.flatMap((phase) => phaseBudget(phase, process.env).problem ?? [])
  return problems.map((text) => ({ name: 'budget', status: 'warn', text }))
}

/** Notes and directories that every command ignores, because of their names. */
async function nameRows({ routing }: WorkspaceReader): Promise<Row[]> {
  const root = await findStoreRoot({ world: routing.selection }).catch(() => undefined)
  if (root === undefined) return []
  const skipped = await unusableNames(root, new Locator(''), { enter: (name) => !name.startsWith('.') })
  return skipped
    .filter(({ name }) => !name.startsWith('.'))
    .map(({ in: directory, name, why }) => ({
      name: 'name',
      status: 'warn' as const,
      text: `${JSON.stringify([directory.key, name].filter((part) => part !== '').join('/'))} is ignored: ${why}. Rename it.`,
    }))
}

async function checkRequired(list: string, { routing }: WorkspaceReader, { terminal }: Call): Promise<Answer> {
  const parsed = parseCapabilities(list)
  if ('unknown' in parsed)
    throw new UsageError(
      `there is no capability ${parsed.unknown.join(', ')}. Choose from: ${parsed.valid.join(', ')}.`,
    )
  const resolution = await resolveStorage({ world: routing.selection, required: parsed.required })
  if (!resolution.ok) {
    const message = resolution.error instanceof Error ? resolution.error.message : String(resolution.error)
    return { text: terminal.red(`FAIL: ${message}`), data: { ok: false, message }, exit: 1 }
  }
  const { protocol } = resolution.storage
  const text = `PASS: backend '${protocol}' satisfies required capabilities: ${parsed.names.join(', ')}`
  return { text, data: { ok: true, protocol, capabilities: parsed.names } }
}
