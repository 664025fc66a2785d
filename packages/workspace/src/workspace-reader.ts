/** What a directory's workspace holds, for programs that only look. Nothing here changes anything, and nothing is made by asking. */
import type { BeliefShelf } from '@agentm/learning'
import type { LearnedShelf } from '@agentm/learning/lessons'
import type { SessionShelf } from '@agentm/learning/sessions'
import type { NodeLog } from '@agentm/nodes'
import type { Project, RoutingWorld } from '@agentm/routing/reader'
import type { ConfigValues } from '@agentm/settings'
import type { TraceAnswer } from '@agentm/harness'
import type { FoundSessions } from '@agentm/transcripts'
import type { ConflictPair } from './conflict-pairs.ts'
import type { HarnessPolicy } from './harness-policy.ts'
import type { MemoryReaderOptions, OpenedMemoryReader } from './open-memory-reader.ts'
import type { PlansReader } from './open-plans-reader.ts'
import type { KindsProbe } from './probe-kinds.ts'
import type { ModelProbe, ProbeOptions } from './probe-model.ts'
import type { ToolsProbe, ToolsProbeOptions } from './probe-tools.ts'
import type { SandboxState } from './sandbox-here.ts'
import type { TurnEntries, WantedTurn } from './session-entries.ts'
import type { StateQuestion, StateText } from './read-state.ts'
import type { SelectedStorage } from '@agentm/selection/reader'

/** A workspace for programs that only read. */
export interface WorkspaceReader {
  /** Absolute. */
  readonly directory: string
  settings(): Promise<ConfigValues>
  owner(): Promise<string>
  project(): Promise<Project>
  /** The configured store, or the refusal. */
  selected(): Promise<SelectedStorage>
  /** What the user lets workers do. */
  policy(): Promise<HarnessPolicy>
  /** `undefined` where there is no memory to ask. */
  memory(options?: MemoryReaderOptions): Promise<Omit<OpenedMemoryReader, 'close'> | undefined>
  /** `undefined` where no log was ever written. */
  log(): Promise<Pick<NodeLog, 'scan' | 'latest' | 'history' | 'position' | 'check' | 'size' | 'backup'> | undefined>
  /** Plans, or `undefined` where no log was ever written. */
  plans(): Promise<PlansReader | undefined>
  /** Beliefs of an owner, or `undefined` where no log was ever written. */
  beliefs(owner: string): Promise<Pick<BeliefShelf, 'list' | 'show'> | undefined>
  /** What was learned from an owner's agent sessions, or `undefined` where no log was ever written. */
  learned(owner: string): Promise<Pick<LearnedShelf, 'list' | 'show' | 'count'> | undefined>
  /** The sessions that the agents in `capture.hosts` and `capture.plain` stored on this machine, captured or not. */
  storedSessions(): Promise<FoundSessions>
  /** Captured agent sessions of an owner, or `undefined` where no log was ever written. */
  sessions(owner: string): Promise<Pick<SessionShelf, 'list' | 'show'> | undefined>
  /** What the host of a captured turn recorded in it, at most `most` entries; `undefined` if it is not on this machine any more. */
  sessionEntries(
    turn: WantedTurn,
    options: { readonly most: number; readonly signal?: AbortSignal | undefined },
  ): Promise<TurnEntries | undefined>
  /** What happened to a plan of the configured owner. An absent plan, and somebody else's, have an empty trace. */
  trace(planId: string): Promise<TraceAnswer>
  /** What a state file of the project says. */
  state(question: StateQuestion): Promise<StateText>
  /** Conflict copies anywhere in the configured store. */
  conflicts(): Promise<readonly ConflictPair[]>
  /** Whether the configured model can be used; `undefined` where none is configured. */
  probeModel(options?: ProbeOptions): Promise<ModelProbe | undefined>
  /** The kinds of steps that workers of this user would run. Refuses a plugin that cannot be used. */
  probeKinds(): Promise<KindsProbe>
  /** The tools that agents have here. */
  probeTools(options?: ToolsProbeOptions): Promise<ToolsProbe>
  /** Whether programs of steps run in a sandbox here. */
  probeSandbox(): Promise<SandboxState>
  /** The directory that holds the trees of steps that are kept apart. */
  treesRoot(): string
  /** The log's file, or its server without what may be secret. */
  logPlace(): Promise<string>
  /** What is wrong with the log's file, in words; every page is read. Nothing where it is whole, and for one on a server. */
  logDamage(): Promise<readonly string[]>
  /** For functions of `@agentm/routing/reader`. */
  readonly routing: RoutingWorld
  close(): Promise<void>
}
