/** The port over a workspace: what is configured for one directory, loaded and opened when a host needs it. */
import type { Memory, NoteVersion } from '@agentm/memory'
import type { Workspace, WorkspaceObserver } from '@agentm/workspace'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { backgroundDrain } from './background-drain.ts'
import { McpServerError } from './mcp-server-error.ts'
import { type ReadPlan, workspacePlans } from './workspace-plans.ts'
import type { MemoryPort, NoteText, RecallQuestion } from './memory-port.ts'

/**
 * Memory and plans of one directory, for the server. They are opened when a host needs them.
 *
 * @example
 * ```ts
 * import { serveStdio, workspacePort } from '@agentm/mcp-server'
 *
 * await serveStdio({ open: () => workspacePort('/srv/checkouts/acme') })
 * ```
 */
export async function workspacePort(
  directory: string,
  {
    readPlan,
    observer,
  }: { readonly readPlan?: ReadPlan; readonly observer?: () => Promise<WorkspaceObserver | undefined> } = {},
): Promise<MemoryPort> {
  const [{ openWorkspace }, { openWorkspaceReader }] = await Promise.all([
    import('@agentm/workspace'),
    import('@agentm/workspace/reader'),
  ])
  const workspace = await openWorkspace(directory, observer && { observer })
  const [memory, project] = [await workspace.memory(), await workspace.project()]
  const vectors = backgroundDrain(memory)
  return {
    async recall({ scope, ...question }) {
      const answer = await memory.recall({ ...question, ...partitionOf(scope, project) })
      if (answer.freshness.pendingVectors > 0) vectors.start()
      return answer
    },
    save: (request) => memory.save({ ...request, by: 'agent' }),
    capture: (request) => memory.capture({ ...request, by: 'agent' }),
    forget: (note, options) => memory.forget(note, { ...options, by: 'agent' }),
    findNote: (key) => findNote(memory, key),
    listNotes: (page) => memory.notes(page),
    readTrace: (planId) => looking((reader) => reader.trace(planId)),
    readSession: (id) =>
      looking(async (reader) => {
        const sessions = await reader.sessions(await reader.owner())
        if (sessions === undefined)
          throw new McpServerError('INVALID_INPUT', 'state_read: no session was captured here yet.')
        return sessions.show(id)
      }),
    readState: (question) => looking((reader) => reader.state(question)),
    plans: workspacePlans(workspace, readPlan),
    async close() {
      await vectors.stop()
      await workspace.close()
    },
  }

  /** Looked up anew each time: a server may live for days, and a checkout changes. */
  async function looking<T>(ask: (reader: WorkspaceReader) => Promise<T>): Promise<T> {
    const reader = await openWorkspaceReader(directory)
    try {
      return await ask(reader)
    } finally {
      await reader.close()
    }
  }
}

function partitionOf(
  scope: RecallQuestion['scope'],
  { slug }: Awaited<ReturnType<Workspace['project']>>,
): { readonly project?: string } {
  if (scope === undefined) return {}
  if (scope === 'personal') return { project: '_global' }
  if (slug !== undefined) return { project: slug }
  throw new McpServerError(
    'INVALID_INPUT',
    'this directory belongs to no project. Leave scope out, or ask for personal.',
  )
}

/** `undefined` for a forgotten note and for a proposal, because neither is recalled. */
async function findNote(memory: Memory, key: string): Promise<NoteText | undefined> {
  const note = (await versionsOf(memory, key)).find((version) => version.key === key)
  if (note === undefined || note.status === 'deleted' || note.status === 'inbox') return undefined
  const { title, text, kind, writtenBy } = note
  return { key, title, text, kind, ...(writtenBy === undefined ? {} : { writtenBy }) }
}

/** None where there is no such note, or where it is not this project's. */
async function versionsOf(memory: Memory, key: string): Promise<readonly NoteVersion[]> {
  try {
    return await memory.history(key)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NOTE_ABSENT') return []
    throw error
  }
}
