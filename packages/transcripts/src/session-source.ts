/**
 * One agent session, or one sub-agent of it, as a host stores it. `host` and `source` together name it on every machine; where the host
 * keeps its data is found again from the same surroundings each time, so no path of this machine is part of it.
 */
import type { TranscriptHost } from './transcript-hosts.ts'

/** One stored agent session. */
export interface SessionSource {
  readonly host: TranscriptHost
  /** The place relative to the data directory of the host, with forward slashes: `projects/-work-shop/0a1b….jsonl`. */
  readonly source: string
  /** The host's id of the agent session, if the name of the file contains it. The id in the events is the reliable one. */
  readonly session?: string
  /** The id of the sub-agent, if the name of the file contains it. */
  readonly agent?: string
  /** Bytes stored; absent if the host keeps its sessions in a database. */
  readonly bytes?: number
  /** When the host last wrote to it, in epoch milliseconds. */
  readonly changedAt?: number
}
