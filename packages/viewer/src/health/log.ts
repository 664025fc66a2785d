import type { WorkspaceReader } from '@agentm/workspace/reader'

/** The log as it is read here. */
export type Log = NonNullable<Awaited<ReturnType<WorkspaceReader['log']>>>
