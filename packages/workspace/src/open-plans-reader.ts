/** Plans of the configured owner, for programs that only ask. Nothing is made: `undefined` where no log was ever written. */
import { type Harness, openHarness, type TraceAnswer, traceOf } from '@agentm/harness'
import type { Roster } from '@agentm/planner'
import { redactSecrets } from '@agentm/nodes'
import type { NodeStore } from '@agentm/nodes'
import { harnessPolicy, type HarnessPolicy } from './harness-policy.ts'
import { once } from './once.ts'
import { only } from './only.ts'
import { ownerName } from './owner-name.ts'
import type { WorkspaceBase } from './workspace-base.ts'

const looking = [
  'plan',
  'step',
  'steps',
  'usage',
  'waiting',
  'status',
  'statuses',
  'find',
  'follow',
  'ended',
  'compare',
  'deadLetters',
  'answers',
  'schedules',
  'scheduleHistory',
] as const

/** Plans of the configured owner, for programs that only read. */
export interface PlansReader {
  readonly harness: Pick<Harness, (typeof looking)[number]>
  readonly roster: Pick<Roster, 'list' | 'agent'>
  /** To read. */
  readonly log: Pick<NodeStore['log'], 'scan' | 'latest' | 'history' | 'position' | 'feed'>
  readonly work: Pick<NodeStore['work'], 'now' | 'sessions' | 'abandoned' | 'tally'>
  readonly owner: string
  /** What this user's workers may do. */
  readonly policy: HarnessPolicy
  trace(planId: string): Promise<TraceAnswer>
}

export async function openPlansReader({ config: read, world }: WorkspaceBase, store: NodeStore): Promise<PlansReader> {
  const { log, work } = store
  const config = await read()
  const owner = ownerName(config)
  // Most readers never ask for agents, and the planner brings much with it.
  const roster = once(async () => (await import('@agentm/planner')).openRoster({ store, owner, actor: 'reader' }))
  return {
    harness: only(openHarness({ store, owner, actor: 'reader' }), looking),
    roster: {
      list: async (status) => (await roster()).list(status),
      agent: async (id) => (await roster()).agent(id),
    },
    log: only(log, ['scan', 'latest', 'history', 'position', 'feed']),
    work: only(work, ['now', 'sessions', 'abandoned', 'tally']),
    owner,
    policy: harnessPolicy(config, world),
    async trace(planId) {
      const trace = await traceOf(log, { planId, owner })
      // What was written before secrets were kept out of the log may hold some.
      return { ...trace, timeline: redactSecrets(trace.timeline) }
    },
  }
}
