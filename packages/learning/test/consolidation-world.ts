/** One log in memory, episodes to learn from, and consolidation over it. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import {
  consolidate,
  consolidationCursor,
  type ConsolidationOptions,
  type ConsolidationRequest,
  type Distilled,
  type Distiller,
  type DistillRequest,
} from '@agentm/learning'
import { observation, semanticMemory } from '@agentm/memory'
import { defineConcept, type Head, type NodeStore } from '@agentm/nodes'
import { z } from 'zod'

export const dayMs = 86_400_000

/** As the harness has them, as far as consolidation reads them. */
export const plan = defineConcept({
  name: 'v1:harness:plan',
  schema: z.object({ ownerUserId: z.string(), goal: z.string(), status: z.string() }),
  recallable: { text: ({ goal }) => goal },
})
export const step = defineConcept({
  name: 'v1:harness:step',
  schema: z.object({ ownerUserId: z.string(), title: z.string(), status: z.string(), retryAt: z.number().optional() }),
  recallable: { text: ({ title }) => title },
})

export const concepts = [observation, semanticMemory, consolidationCursor, plan, step]

export interface Told {
  readonly owner?: string
  readonly partition?: string
  readonly kind?: 'note' | 'tool_result' | 'error' | 'decision'
  readonly actor?: string
}

export function setup(given: Partial<ConsolidationOptions> & { readonly start?: number } = {}) {
  const { start = Date.UTC(2026, 2, 1, 2, 45), ...options } = given
  let time = start
  const runtime = { now: () => time, random: () => 0.5 }
  const store = given.store ?? createInMemoryStore({ concepts, runtime })
  const all: ConsolidationOptions = { runtime, ...options, store }
  return {
    store,
    options: all,
    now: () => time,
    tick: (ms: number) => (time += ms),
    tell: async (content: string, told: Told = {}) => tell(store, content, told),
    run: async (request: Partial<ConsolidationRequest> = {}, more: Partial<ConsolidationOptions> = {}) =>
      consolidate({ ...all, ...more }, { owner: 'ada', explain: true, ...request }),
    beliefs: async (owner = 'ada', status: string | undefined = 'active') => beliefsOf(store, owner, status),
    cursor: async (owner = 'ada') =>
      (await store.log.scan({ owner, concepts: [consolidationCursor.name] })).nodes[0]?.payload,
  }
}

export async function tell(store: Pick<NodeStore, 'log'>, content: string, told: Told = {}): Promise<string> {
  const { owner = 'ada', partition = 'acme', kind = 'note', actor = 'worker' } = told
  const draft = { concept: observation.name, payload: { ownerUserId: owner, kind, content }, mutation: 'record' }
  const [node] = await store.log.append([draft], { owner, actor, partition })
  return node?.id ?? ''
}

export async function beliefsOf(
  store: Pick<NodeStore, 'log'>,
  owner = 'ada',
  status?: string,
): Promise<readonly Head[]> {
  const query = { owner, concepts: [semanticMemory.name], limit: 10_000, ...(status === undefined ? {} : { status }) }
  return (await store.log.scan(query)).nodes
}

/** Says of each cluster what its first episode says. */
export function scripted(
  answer: (request: DistillRequest) => Distilled | Promise<Distilled> = ({ episodes }) => ({
    distilled: true,
    kind: 'fact',
    content: episodes[0]?.content ?? '',
    confidence: 0.6,
  }),
): Distiller & { readonly asked: DistillRequest[] } {
  const asked: DistillRequest[] = []
  return {
    name: 'scripted',
    leastEpisodes: 1,
    asked,
    async distill(request) {
      asked.push(request)
      return answer(request)
    },
  }
}
