/** A log with plans, steps, records, beliefs and agent sessions of any age, written without a worker. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts } from '@agentm/harness'
import { chooseGroups, type LearningPosition, type RetentionRule } from '@agentm/harness/retention'
import { semanticMemory } from '@agentm/memory'
import { type Concept, defineConcept, type Draft, type NodeStore, type Payload } from '@agentm/nodes'
import { z } from 'zod'

const turn = defineConcept({
  name: 'v1:sessions:turn',
  schema: z.object({ ownerUserId: z.string(), host: z.string(), session: z.string(), turn: z.number() }),
  verbatim: ['session'],
})

const schedule = defineConcept({
  name: 'v1:test:schedule',
  schema: z.object({ ownerUserId: z.string(), lastPlan: z.string() }),
  relations: [{ field: 'lastPlan', to: 'v1:harness:plan', kind: 'started' }],
})

export const concepts: readonly Concept[] = [...harnessConcepts, semanticMemory, turn, schedule]

export const planId = (id: string) => `v1:harness:plan:${id}`
export const stepId = (id: string) => `v1:harness:step:${id}`
export const observationId = (id: string) => `v1:harness:observation:${id}`

/** Days after the beginning of the world. */
export const dayMs = 24 * 60 * 60 * 1000

export interface NewPlan {
  readonly day?: number
  readonly status?: 'open' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly project?: string
  readonly parent?: { readonly plan: string; readonly step: string } | undefined
  readonly follows?: string | undefined
  readonly forkedFrom?: string | undefined
  /** Each step with the steps that it depends on. */
  readonly steps?: Readonly<Record<string, readonly string[]>>
}

export class RetentionWorld {
  readonly store: NodeStore
  readonly #clock: { now: number }

  constructor(store: NodeStore, clock: { now: number }) {
    this.store = store
    this.#clock = clock
  }

  static inMemory(): RetentionWorld {
    const clock = { now: 0 }
    return new RetentionWorld(createInMemoryStore({ concepts, runtime: { now: () => clock.now } }), clock)
  }

  /** With each step: an observation, a recorded call and a kept conversation. The plan has an observation of its own. */
  async plan(
    id: string,
    {
      day = 0,
      status = 'done',
      project = 'attic',
      parent,
      follows,
      forkedFrom,
      steps = { [`${id}-a`]: [] },
    }: NewPlan = {},
  ) {
    const links = {
      ...(parent === undefined ? {} : { parentPlanId: parent.plan, parentStepId: parent.step }),
      ...(follows === undefined ? {} : { follows }),
      ...(forkedFrom === undefined ? {} : { forkedFrom }),
    }
    const drafts: Draft[] = [draft('plan', id, { goal: `goal of ${id}`, ...links })]
    for (const [step, dependsOn] of Object.entries(steps)) {
      const of = { planId: id, stepId: step }
      drafts.push(
        draft('step', step, { planId: id, title: step, idempotencyKey: step, dependsOn }),
        draft('observation', `o-${step}`, { ...of, kind: 'note', content: `seen by ${step}` }),
        draft('effect', `e-${step}`, {
          ...of,
          key: step,
          tool: 'shell',
          args: '{}',
          ordinal: 1,
          nature: 'pure',
          status: 'succeeded',
          intents: 1,
        }),
        draft('turn', `t-${step}`, {
          ...of,
          attempt: 0,
          failures: 0,
          crashes: 0,
          opening: 'x',
          keeps: 0,
          messages: [],
          state: {},
        }),
      )
    }
    drafts.push(draft('observation', `o-${id}`, { planId: id, kind: 'note', content: `seen by ${id}` }))
    if (status !== 'open') drafts.push(draft('plan', id, { status }))
    await this.#write(drafts, day, project)
  }

  async belief(id: string, sourceEpisodes: readonly string[], status = 'active'): Promise<void> {
    const payload = { content: id, sourceEpisodes, lastReinforced: new Date(0).toISOString(), status }
    await this.#write([{ ...draft('x', id, payload), concept: semanticMemory.name }], 0, 'attic')
  }

  async turn(session: string, number: number, day = 0): Promise<void> {
    const payload = { host: 'codex', session, turn: number }
    await this.#write([{ ...draft('x', `${session}-${number}`, payload), concept: turn.name }], day, 'attic')
  }

  async schedule(id: string, lastPlan: string): Promise<void> {
    await this.#write([{ ...draft('x', id, { lastPlan }), concept: schedule.name }], 0, 'attic')
  }

  async choose(rule: Partial<RetentionRule> = {}, learning?: LearningPosition) {
    return chooseGroups(
      { store: this.store, owner: 'ada', concepts },
      { rule: { before: 50 * dayMs, ...rule }, learning },
    )
  }

  /** The short ids of everything that is there. */
  async ids(): Promise<readonly string[]> {
    const { nodes } = await this.store.log.scan({ owner: 'ada', limit: 10_000 })
    return nodes.map(({ id }) => id.slice(id.lastIndexOf(':') + 1)).toSorted()
  }

  /** A node of something else at the end, because the newest version of a log always stays. */
  async end(): Promise<void> {
    await this.belief('end', [])
  }

  async #write(drafts: readonly Draft[], day: number, partition: string): Promise<void> {
    this.#clock.now = day * dayMs
    await this.store.log.append(drafts, { owner: 'ada', actor: 'test', partition })
  }
}

function draft(concept: string, id: string, payload: Payload): Draft {
  return { concept: `v1:harness:${concept}`, id, payload: { ownerUserId: 'ada', ...payload }, mutation: 'test' }
}
