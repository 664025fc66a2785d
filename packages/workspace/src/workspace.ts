/** Everything opened for one directory. Each part is opened when it is first asked for, and once. */
import type { Memory } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { Project, RoutingWorld } from '@agentm/routing/reader'
import type { ConfigValues } from '@agentm/settings'
import type { LogUpkeep } from './log-upkeep.ts'
import type { OpenedStorage } from './open-storage.ts'
import type { Capture } from './open-capture.ts'
import type { Learning } from './open-learning.ts'
import type { Plans } from './open-plans.ts'
import type { Embedders } from './open-embedders.ts'
import type { Trial, TrialPlace } from './open-trial.ts'
import type { SelectedStorage } from '@agentm/selection/reader'

/** Everything opened for one directory. Each part is opened once, when you first ask for it. */
export interface Workspace {
  /** Absolute. */
  readonly directory: string
  /** What the config says, read once. */
  settings(): Promise<ConfigValues>
  /** Whose notes and plans these are. */
  owner(): Promise<string>
  /** The project of the directory. */
  project(): Promise<Project>
  /** The configured store. Its first opening gives it the marker by which it is known again. */
  storage(): Promise<OpenedStorage>
  /** The same before anything is written: selected, or refused. */
  selected(): Promise<SelectedStorage>
  /** Plans, observations and beliefs, in order. */
  log(): Promise<NodeStore>
  /** Notes, and what was learned. */
  memory(): Promise<Memory>
  /** Plans, workers, agents. */
  plans(): Promise<Plans>
  /** The built-in kinds of steps, and those of `wanted` that an installed plugin brings. */
  stepKindNames(wanted: readonly string[]): Promise<readonly string[]>
  /** From episodes to beliefs, and from beliefs to notes. */
  learning(): Promise<Learning>
  /** What coding agents did in their sessions on this machine. */
  capture(): Promise<Capture>
  /** Memory over a directory of notes that only serves a measurement. Of the user's own, it uses the embedder and nothing else. */
  trial(place: TrialPlace): Promise<Trial>
  /** The embedder in use, and others to compare it with. */
  embedders(): Promise<Embedders>
  /** To repair the log, to replace it, to bring it up to date. */
  logUpkeep(): Promise<LogUpkeep>
  /** For functions of `@agentm/routing`. */
  readonly routing: RoutingWorld
  /** Whether a log was ever written here. Asking creates nothing. */
  hasLog(): Promise<boolean>
  /** Whether nothing was ever kept here: no log, no store, and no config that says there should be one. */
  isUntouched(): Promise<boolean>
  /** Waits for what was acknowledged, and closes what was opened. End workers before. */
  close(): Promise<void>
}
