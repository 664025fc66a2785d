/** What is selected here, where everything is, and what is wrong; nothing is changed. The storage line is the refusal itself. */
import { findStoreRoot, parseCapabilities, previewStorage, resolveStorage } from '@agentm/selection'
import { Locator } from '@agentm/storage-seam'
import { lockDirectory, unusableNames } from '@agentm/vault-lock'
import { nodeLogPlace, storageRequest } from '@agentm/workspace'
import { phases } from '@agentm/workspace/reader'
import { phaseBudget } from '@agentm/process-seam'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { agentmPlaces } from '../places.ts'
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
    ...(await agentmPlaces(request.world)).map(({ name, place }) => ({ name, status: 'ok' as const, text: place })),
    ...(await logRow()),
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

/** Where the log is. What is wrong with the config is said by the storage line. */
async function logRow(): Promise<Row[]> {
  const place = await nodeLogPlace().catch(() => undefined)
  return place === undefined ? [] : [{ name: 'log', status: 'ok', text: place }]
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
