/** Checks the installation and changes nothing. The storage line is the text of the refusal itself. */
import { parseCapabilities, resolveStorage } from '@agentm/selection'
import { type HealthRow, healthText, wholeCheckUp } from '@agentm/workspace/health'
import { phases, type WorkspaceReader } from '@agentm/workspace/reader'
import { phaseBudget } from '@agentm/process-seam'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { indented } from '../report-error.ts'
import { typed } from '../typed.ts'

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
  const found = [...(await wholeCheckUp(reader)), ...budgetRows()]
  const rows = found.map(({ help, ...row }) => ({ ...row, text: typed(healthText({ ...row, ...(help && { help }) })) }))
  const failed = rows.some(({ status }) => status === 'fail')
  return {
    text: rows.map(({ name, status, text }) => `${name} [${status.toUpperCase()}] ${indented(text)}`).join('\n'),
    data: { rows },
    exit: failed ? 1 : 0,
  }
}

/** Budgets in the environment that are not valid. */
function budgetRows(): readonly HealthRow[] {
  const problems = phases.flatMap((phase) => phaseBudget(phase, process.env).problem ?? [])
  return problems.map((text) => ({ name: 'budget', status: 'warn', text }))
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
