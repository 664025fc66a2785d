/** For `doctor`: the model and the tools that agents have here, and whether they are to be had. No key is told. */
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

/** What cannot be meant is the finding, not the end of all others. */
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
    'none is configured: memory and plans of commands work, and steps of agents wait for an answer. agentm config set models.url URL, agentm config set models.model NAME'
  return [{ name: 'model', status: 'ok', text }]
}

function modelRow({ name, from, keyVariable, hasKey, answer, why = '' }: ModelProbe): AgentRow {
  const key = hasKey ? `key from ${keyVariable}` : `no key in ${keyVariable}`
  const row = (status: AgentRow['status'], how: string): AgentRow => ({
    name: 'model',
    status,
    text: oneLine(`${name} of ${from}, ${key}: ${how}`),
  })
  switch (answer) {
    case 'listed':
      return row('ok', 'it answers')
    case 'unlisted':
      return row('warn', `it answers, and lists no model ${name}. agentm config set models.model NAME`)
    case 'refused':
      return row('fail', `it refuses ${hasKey ? 'that key' : 'a call without a key'} (${why}). Set ${keyVariable}`)
    case 'unreachable':
      return row(
        'fail',
        `it cannot be reached (${why}). Start it, or correct the address: agentm config set models.url URL`,
      )
    case 'failed':
      return row(
        'fail',
        `it does not work (${why}). Look at it there, or correct the address: agentm config set models.url URL`,
      )
    case 'silent':
      return row('warn', `it is there and slow (${why})`)
    default:
      return row('ok', 'whether it answers shows when it is asked')
  }
}

async function toolRows(reader: WorkspaceReader): Promise<readonly AgentRow[]> {
  const { tools, problems, servers } = await reader.probeTools()
  const row = (status: AgentRow['status'], text: string): AgentRow => ({ name: 'tools', status, text: oneLine(text) })
  if (tools === undefined) return [row('warn', `not all MCP servers answered in time: ${servers.join(', ')}`)]
  return [
    row('ok', tools.join(', ') || 'none'),
    ...problems.map(({ server, why }) => row('warn', `the MCP server ${server} is not to be had: ${why}`)),
  ]
}
