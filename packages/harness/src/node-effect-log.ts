/**
 * Stores effects in the node log, so that they outlive the process: the next worker of the step finds which effects were begun and
 * which were completed. Every write carries the fence of the claim, so that a worker that lost its claim cannot begin an effect.
 */
import { type Head, deriveId, type NodeLog } from '@agentm/nodes'
import { effect as concept, type Effect, effectSchema } from './effect.ts'
import type { EffectCall, EffectLog, EffectRecord } from '@agentm/agent-loop'

export interface NodeEffectLogOptions {
  readonly log: NodeLog
  readonly owner: string
  readonly actor: string
  readonly partition?: string
  /** Versions that every write expects: that of the claimed step. It is asked again at each write. */
  readonly fence?: () => Readonly<Record<string, number>>
}

export function nodeEffectLog({ log, owner, actor, partition, fence }: NodeEffectLogOptions): EffectLog {
  const head = async ({ key }: EffectCall): Promise<Head | undefined> =>
    log.latest(deriveId(concept.name, key), { owner })

  const write = async (
    call: EffectCall,
    mutation: string,
    change: (intents: number) => Pick<Effect, 'status' | 'intents' | 'text' | 'parts' | 'message'>,
  ): Promise<void> => {
    const prior = await head(call)
    const id = deriveId(concept.name, call.key)
    const { plan: planId, step: stepId, ...facts } = call
    const intents = prior === undefined ? 0 : effectSchema.parse(prior.payload).intents
    const payload = { ...facts, ownerUserId: owner, planId, stepId, ...change(intents) }
    await log.append([{ concept: concept.name, id, payload, mutation }], {
      owner,
      actor,
      ...(partition !== undefined && { partition }),
      // Also expects the version that was read. If two runs begin the same call at once, only one write succeeds.
      expects: { [id]: prior?.version ?? 0, ...fence?.() },
      durability: call.nature === 'effectful' ? 'full' : 'normal',
    })
  }

  return {
    store: log,
    read: async (call) => recordOf(await head(call)),
    intend: async (call) => write(call, 'intendHarnessEffect', (n) => ({ status: 'intended', intents: n + 1 })),
    succeed: async (call, text, parts) =>
      write(call, 'completeHarnessEffect', (intents) => ({
        status: 'succeeded',
        intents,
        text,
        ...(parts && { parts: [...parts] }),
      })),
    fail: async (call, message) =>
      write(call, 'failHarnessEffect', (intents) => ({ status: 'failed', intents, message })),
  }
}

function recordOf(head: Head | undefined): EffectRecord | undefined {
  if (head === undefined) return undefined
  // The answer was permanently deleted. The log still shows that the call happened.
  if (head.redacted) return { state: 'succeeded', intents: 1, text: '' }
  const { status, intents, text = '', parts, message = '' } = effectSchema.parse(head.payload)
  switch (status) {
    case 'succeeded':
      return { state: status, intents, text, ...(parts && { parts }) }
    case 'failed':
      return { state: status, intents, message }
    default:
      return { state: status, intents }
  }
}
