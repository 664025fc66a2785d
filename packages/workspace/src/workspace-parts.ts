/** What the parts of a workspace take from each other. */
import type { KeyedStore, Memory, MemoryEmbedder, MemoryOptions } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { NodesPlace } from './nodes-place.ts'
import type { Once } from './once.ts'
import type { LogAt } from './open-nodes.ts'
import type { OpenedStorage } from './open-storage.ts'
import type { WorkspaceBase } from './workspace-base.ts'

export interface WorkspaceParts extends WorkspaceBase {
  readonly actor: string
  owner(): Promise<string>
  place(): Promise<NodesPlace>
  /** The same, with the plugin that opens the log. */
  readonly logAt: Once<LogAt>
  readonly log: Once<NodeStore>
  /**
   * Where notes are indexed: this device's own file, in which the log is too unless that is on a server. Opened without the schemas
   * of the log, so it is for reading nodes; `log` writes them.
   */
  readonly index: Once<NodeStore>
  readonly storage: Once<OpenedStorage>
  /** Small texts that this device keeps for itself. */
  readonly state: KeyedStore
  readonly embedder: Once<MemoryEmbedder | undefined>
  readonly reranking: Once<MemoryOptions['reranking']>
  readonly memory: Once<Memory>
}
