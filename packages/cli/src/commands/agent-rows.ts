/** For `doctor`: the model and the tools of agents, and whether each can be reached. Keys are never printed. */
import type { ModelProbe, WorkspaceReader } from '@agentm/workspace/reader'
import { oneLine } from './plan/pure/state-text.ts'

export interface AgentRow {
  readonly name: 'model' | 'tools'
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export async function agentRows(reader: WorkspaceReader): Promise<readonly AgentRow[]> {
  return [
    ...(await rowsOrFault('model', () => modelRows(reader))),
    ...(await rowsOrFault('tools', () => toolRows(reader))),
  ]
}

/** A setting that cannot be used is one finding; the other checks still run. */
async function rowsOrFault(
  name: AgentRow['name'],
  rows: () => Promise<readonly AgentRow[]>,
): Promise<readonly AgentRow[]> {
  try {
    return await rows()
  } catch (error) {
    return [{ name, status: 'fail', text: oneLine(error instanceof Error ? error.message : String(error)) }]
  }
}

async function modelRows(reader: WorkspaceReader): Promise<readonly AgentRow[]> {
  const probe = await reader.probeModel()
  if (probe !== undefined) return [modelRow(probe)]
  const text =
    'no model is configured. Memory and plans of commands work without one; steps of agents wait. To configure one: agentm config set models.url URL && agentm config set models.model NAME'
  return [{ name: 'model', status: 'ok', text }]
}

function modelRow({ name, from, keyVariable, hasKey, answer, why = '' }: ModelProbe): AgentRow {
  const key = hasKey ? `key from ${keyVariable}` : `no key in ${keyVariable}`
  const row = (status: AgentRow['status'], how: string): AgentRow => ({
    name: 'model',
    status,
    text: oneLine(`${name} at ${from}, ${key}: ${how}`),
  })
  switch (answer) {
    case 'listed':
      return row('ok', 'it answers')
    case 'unlisted':
      return row(
        'warn',
        `the server answers, but lists no model ${name}. To choose another: agentm config set models.model NAME`,
      )
    case 'refused':
      return row(
        'fail',
        `the server refuses ${hasKey ? 'that key' : 'a request without a key'} (${why}). Set the environment variable ${keyVariable}`,
      )
    case 'unreachable':
      return row(
        'fail',
        `the server cannot be reached (${why}). Start it, or correct the address: agentm config set models.url URL`,
      )
    case 'failed':
      return row(
        'fail',
        `the server answers with an error (${why}). Check the server, or correct the address: agentm config set models.url URL`,
      )
    case 'silent':
      return row('warn', `the server is slow (${why})`)
    default:
      return row('ok', 'not checked, because this model has no list of models')
  }
}

async function toolRows(reader: WorkspaceReader): Promise<readonly AgentRow[]> {
  const { tools, problems, servers } = await reader.probeTools()
  const row = (status: AgentRow['status'], text: string): AgentRow => ({ name: 'tools', status, text: oneLine(text) })
  if (tools === undefined) return [row('warn', `some MCP servers did not answer in time: ${servers.join(', ')}`)]
  return [
    row('ok', tools.join(', ') || 'none'),
    ...problems.map(({ server, why }) => row('warn', `the MCP server ${server} cannot be used: ${why}`)),
  ]
}
