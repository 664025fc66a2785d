/** The model and the tools of agents, and whether each can be reached. Keys are never printed. */
import type { ModelProbe } from '../probe-model.ts'
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow, Help } from './health-row.ts'
import { oneLine } from '@agentm/memory/shown'

export async function agentRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  return [
    ...(await rowsOrFault('model', () => modelRows(reader))),
    ...(await rowsOrFault('tools', () => toolRows(reader))),
  ]
}

/** A setting that cannot be used is one finding; the other checks still run. */
async function rowsOrFault(
  name: 'model' | 'tools',
  rows: () => Promise<readonly HealthRow[]>,
): Promise<readonly HealthRow[]> {
  try {
    return await rows()
  } catch (error) {
    return [{ name, status: 'fail', text: oneLine(error instanceof Error ? error.message : String(error)) }]
  }
}

async function modelRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const probe = await reader.probeModel()
  if (probe !== undefined) return [modelRow(probe)]
  const text = 'no model is configured. Memory and plans of commands work without one; steps of agents wait'
  const command = 'agentm config set models.url URL && agentm config set models.model NAME'
  return [{ name: 'model', status: 'ok', text, help: [{ to: 'To configure one', command }] }]
}

function modelRow({ name, from, keyVariable, hasKey, answer, why = '' }: ModelProbe): HealthRow {
  const key = hasKey ? `key from ${keyVariable}` : `no key in ${keyVariable}`
  const row = (status: HealthRow['status'], how: string, ...help: readonly Help[]): HealthRow => ({
    name: 'model',
    status,
    text: oneLine(`${name} at ${from}, ${key}: ${how}`),
    ...(help.length > 0 && { help }),
  })
  const correct = 'agentm config set models.url URL'
  switch (answer) {
    case 'listed':
      return row('ok', 'it answers')
    case 'unlisted':
      return row('warn', `the server answers, but lists no model ${name}`, {
        to: 'To choose another',
        command: 'agentm config set models.model NAME',
      })
    case 'refused':
      return row(
        'fail',
        `the server refuses ${hasKey ? 'that key' : 'a request without a key'} (${why}). Set the environment variable ${keyVariable}`,
      )
    case 'unreachable':
      return row('fail', `the server cannot be reached (${why})`, {
        to: 'Start it, or correct the address',
        command: correct,
      })
    case 'failed':
      return row('fail', `the server answers with an error (${why})`, {
        to: 'Check the server, or correct the address',
        command: correct,
      })
    case 'silent':
      return row('warn', `the server is slow (${why})`)
    default:
      return row('ok', 'not checked, because this model has no list of models')
  }
}

async function toolRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const { tools, problems, servers } = await reader.probeTools()
  if (tools === undefined) return [toolRow('warn', `some MCP servers did not answer in time: ${servers.join(', ')}`)]
  return [
    toolRow('ok', tools.join(', ') || 'none'),
    ...problems.map(({ server, why }) => toolRow('warn', `the MCP server ${server} cannot be used: ${why}`)),
  ]
}

function toolRow(status: HealthRow['status'], text: string): HealthRow {
  return { name: 'tools', status, text: oneLine(text) }
}
