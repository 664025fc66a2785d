/** What the page asks of captured sessions and of what was learned from them: types of the reader, by the names used here. */
import type { WorkspaceReader } from '@agentm/workspace/reader'

export type Sessions = NonNullable<Awaited<ReturnType<WorkspaceReader['sessions']>>>
export type Learned = NonNullable<Awaited<ReturnType<WorkspaceReader['learned']>>>
export type SessionSummary = Awaited<ReturnType<Sessions['list']>>[number]
export type KeptTurn = Awaited<ReturnType<Sessions['show']>>['turns'][number]
export type WantedTurn = Parameters<WorkspaceReader['sessionEntries']>[0]
export type StoredEntry = NonNullable<Awaited<ReturnType<WorkspaceReader['sessionEntries']>>>['entries'][number]
