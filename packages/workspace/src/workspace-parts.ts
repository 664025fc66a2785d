/** What the parts of a workspace take from each other. */
import type { KeyedStore, Memory, MemoryEmbedder, MemoryOptions } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { ByteTables } from '@agentm/nodes/store-kit'
import type { NodesPlace } from './nodes-place.ts'
import type { Once } from './once.ts'
import type { LogAt } from './open-nodes.ts'
import type { OpenedStorage } from './open-storage.ts'
import type { WorkspaceBase } from './workspace-base.ts'
import type { WorkspaceObserver } from './workspace-observer.ts'

export interface WorkspaceParts extends WorkspaceBase {
  readonly actor: string
  owner(): Promise<string>
  place(): Promise<NodesPlace>
  /** The same, with the plugin that opens the log. */
  readonly logAt: Once<LogAt>
  readonly log: Once<NodeStore>
  /** The index of notes, in a file of this device. */
  readonly notesIndex: Once<ByteTables>
  /** The log for whoever reads it: a local one is opened without the schemas of appends, which `log` loads. */
  readingLog(): Promise<NodeStore>
  readonly storage: Once<OpenedStorage>
  /** Small texts that this device keeps for itself. */
  readonly state: KeyedStore
  readonly embedder: Once<MemoryEmbedder | undefined>
  readonly reranking: Once<MemoryOptions['reranking']>
  readonly memory: Once<Memory>
  readonly observer: () => Promise<WorkspaceObserver | undefined>
}
