import { createInMemoryStore } from '@agentm/conformance/logs'
import type { AppendOptions, Draft } from '@agentm/nodes'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { effect } from '../src/effect.ts'
import { nodeEffectLog } from '../src/node-effect-log.ts'
import { plan } from '../src/plan.ts'
import { step } from '../src/step.ts'
import { defineTool, runInnerLoop } from '@agentm/agent-loop'
import { effectKey } from '@agentm/agent-loop/internal'
import { calls, scriptedModel } from '../../../tools/model-in-process.mjs'

const owner = 'ann'
const work = { plan: 'v1:harness:plan:p', step: 'v1:harness:step:s' }

async function setup() {
  const store = createInMemoryStore({ concepts: [plan, step, effect] })
  const appends: { readonly mutation: string | undefined; readonly durability: AppendOptions['durability'] }[] = []
  const log = Object.assign(Object.create(store.log) as typeof store.log, {
    append: async (drafts: readonly Draft[], options: AppendOptions) => {
      appends.push({ mutation: drafts[0]?.mutation, durability: options.durability })
      return store.log.append(drafts, options)
    },
  })
  await store.log.append(
    [
      { concept: plan.name, id: 'p', payload: { ownerUserId: owner, goal: 'g' }, mutation: 'createHarnessPlan' },
      {
        concept: step.name,
        id: 's',
        payload: { ownerUserId: owner, planId: 'p', title: 't', idempotencyKey: 's' },
        mutation: 'addHarnessStep',
      },
    ],
    { owner, actor: 'test' },
  )
  return { log, appends }
}

function tool(nature: 'idempotent' | 'effectful', run: () => Promise<string>) {
  return defineTool({ name: 'send', description: 'Sends.', input: z.looseObject({}), nature, run })
}

const script = () => scriptedModel(calls(['send', { to: 'bob' }]), { text: 'Sent.' })
const messages = [{ role: 'user', text: 'Send it.' }] as const
const identity = { ...work, tool: 'send', args: '{"to":"bob"}', ordinal: 1 }
const key = effectKey(identity)

describe('effects in the node log', () => {
  it('are intended before and kept after, both at full durability, and found by the next process', async () => {
    const { log, appends } = await setup()
    let sent = 0
    const send = tool('effectful', async () => `message ${++sent}`)
    for (let process = 0; process < 2; process++) {
      const effects = nodeEffectLog({ log, owner, actor: 'worker' })
      await runInnerLoop({ model: script(), messages, tools: [send], work: { ...work, effects } })
    }
    expect(sent).toBe(1)
    expect(appends).toEqual([
      { mutation: 'intendHarnessEffect', durability: 'full' },
      { mutation: 'completeHarnessEffect', durability: 'full' },
    ])
  })

  it('keep the pictures of an answer beside its text, for the next process', async () => {
    const { log } = await setup()
    const part = {
      kind: 'image',
      mediaType: 'image/png',
      name: 'p',
      hash: 'a'.repeat(64),
      bytes: 9,
      tokens: 5000,
    } as const
    const send = defineTool({
      name: 'send',
      description: 'Sends.',
      input: z.looseObject({}),
      nature: 'effectful',
      run: async () => ({ text: 'sent', parts: [part] }),
    })
    for (let process = 0; process < 2; process++) {
      const effects = nodeEffectLog({ log, owner, actor: 'worker' })
      const end = await runInnerLoop({
        model: script(),
        messages,
        tools: [send],
        work: { ...work, effects },
      })
      if (end.ended !== 'stopped') throw new TypeError('the loop was asking')
      expect(end.messages.find(({ role }) => role === 'tool')).toMatchObject({ text: 'sent', parts: [part] })
    }
  })

  it('of idempotent calls are kept without an intent, and at normal durability', async () => {
    const { log, appends } = await setup()
    const effects = nodeEffectLog({ log, owner, actor: 'worker' })
    const send = tool('idempotent', async () => 'sent')
    await runInnerLoop({ model: script(), messages, tools: [send], work: { ...work, effects } })
    expect(appends).toEqual([{ mutation: 'completeHarnessEffect', durability: 'normal' }])
  })

  it('are not begun by a worker that lost its claim', async () => {
    const { log } = await setup()
    let sent = 0
    const send = tool('effectful', async () => `message ${++sent}`)
    const effects = nodeEffectLog({ log, owner, actor: 'zombie', fence: () => ({ [work.step]: 7 }) })
    const run = runInnerLoop({ model: script(), messages, tools: [send], work: { ...work, effects } })
    await expect(run).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
    expect(sent).toBe(0)
  })

  it('happen once when two workers, in logs of their own, begin at the same time', async () => {
    const { log } = await setup()
    let sent = 0
    const send = tool('effectful', async () => `message ${++sent}`)
    const runs = [1, 2].map(async () => {
      const other = Object.create(log) as typeof log
      const effects = nodeEffectLog({ log: other, owner, actor: 'worker' })
      return runInnerLoop({ model: script(), messages, tools: [send], work: { ...work, effects } })
    })
    const ends = await Promise.allSettled(runs)
    expect(sent).toBe(1)
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  })

  it('that were begun and not ended stay in doubt, and belong to their owner alone', async () => {
    const { log } = await setup()
    const effects = nodeEffectLog({ log, owner, actor: 'worker' })
    await effects.intend({ ...identity, key, nature: 'effectful' })
    expect(await effects.read({ ...identity, key, nature: 'effectful' })).toEqual({ state: 'intended', intents: 1 })
    const foreign = nodeEffectLog({ log, owner: 'bob', actor: 'worker' })
    expect(await foreign.read({ ...identity, key, nature: 'effectful' })).toBe(undefined)
    const end = await runInnerLoop({
      model: script(),
      messages,
      tools: [tool('effectful', async () => 'sent')],
      work: { ...work, effects },
      ask: async () => undefined,
    })
    expect(end).toMatchObject({ ended: 'asking', question: { id: `${key}-doubt-1` } })
  })

  it('that happened never become something else', async () => {
    const { log } = await setup()
    const effects = nodeEffectLog({ log, owner, actor: 'worker' })
    const call = { ...identity, key, nature: 'effectful' } as const
    await effects.intend(call)
    await effects.succeed(call, 'sent')
    await expect(effects.fail(call, 'no')).rejects.toMatchObject({ code: 'GUARD_REFUSED' })
    expect(await effects.read(call)).toEqual({ state: 'succeeded', intents: 1, text: 'sent' })
  })
})
