import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Checkpoint,
  createEffectLog,
  defineTool,
  type EffectLog,
  type LoopObservation,
  runInnerLoop,
} from '../../src/index.ts'
import { calls, scriptedModel } from '../../../../tools/model-in-process.mjs'

const secret = 'The cat is called Ada Lovelace.'

function world() {
  const written: unknown[] = []
  const saved: string[] = []
  const effects = createEffectLog()
  const watched: EffectLog = {
    store: effects.store,
    read: (call) => effects.read(call),
    intend: async (call) => effects.intend(call),
    succeed: async (call, text) => {
      written.push(call, text)
      await effects.succeed(call, text)
    },
    fail: async (call, message) => {
      written.push(call, message)
      await effects.fail(call, message)
    },
  }
  const recall = defineTool({
    name: 'recall',
    description: 'Recalls.',
    input: z.object({ about: z.string() }),
    nature: 'pure',
    run: async () => ({ text: secret, record: '1 note' }),
  })
  const save = defineTool({
    name: 'save',
    description: 'Saves.',
    input: z.object({ text: z.string() }),
    nature: 'idempotent',
    recordArgs: ({ text }) => ({ characters: text.length }),
    run: async ({ text }) => {
      saved.push(text)
      return `saved ${text.length} characters`
    },
  })
  const ask = defineTool({
    name: 'ask',
    description: 'Needs a person.',
    input: z.object({}),
    nature: 'effectful',
    needsApproval: true,
    run: async () => 'done',
  })
  const run = async (model: ReturnType<typeof scriptedModel>, from?: Checkpoint, answer?: string) =>
    runInnerLoop({
      model,
      tools: [recall, save, ask],
      messages: [{ role: 'user', text: 'Go.' }],
      work: { plan: 'p', step: 's', effects: watched },
      observe: (observation: LoopObservation) => void written.push(observation),
      save: async (checkpoint) => void written.push(checkpoint),
      ask: async () => answer,
      ...(from && { from }),
    })
  return { run, written, saved }
}

it('keeps a record instead of the words, wherever it writes, and shows the model the words', async () => {
  const { run, written, saved } = world()
  const model = scriptedModel(
    calls(['recall', { about: 'cats' }], ['save', { text: secret }], ['save', `{"text":"${secret}"`]),
    calls(['respondToUser', { text: 'Done.' }]),
  )
  expect(await run(model)).toMatchObject({ stop: { reason: 'respondToUser' } })
  expect(saved).toEqual([secret])
  const shown = model.requests[1]?.messages.map(({ text }) => text)
  expect(shown).toContain(secret)
  expect(JSON.stringify(written)).not.toContain('Lovelace')
  expect(JSON.stringify(written)).toContain('1 note')
  expect(JSON.stringify(written)).toContain(String.raw`{\"characters\":31}`)
})

it('keeps each message in one form, so that what was written of it is written once', async () => {
  const { run, written } = world()
  const again = () =>
    calls(['recall', { about: `cats ${written.length}` }], ['save', { text: `${secret} ${written.length}` }])
  await run(scriptedModel(again, again, again, calls(['respondToUser', { text: 'Done.' }])))
  const checkpoints = written.filter((each): each is Checkpoint => Object.hasOwn(Object(each), 'iterations'))
  expect(checkpoints.length).toBeGreaterThan(6)
  for (const [i, { messages }] of checkpoints.entries()) {
    const next = checkpoints[i + 1]?.messages.slice(0, messages.length) ?? []
    const isSame = next.map((message, at) => message === messages[at])
    // What is still to be called is answered by a message that is not kept.
    expect(isSame.filter((same) => !same).length).toBeLessThanOrEqual(1)
  }
})

it('is taken up without them: a call whose arguments were not kept is made again by the model', async () => {
  const { run, written, saved } = world()
  const first = scriptedModel(calls(['recall', { about: 'cats' }], ['ask'], ['save', { text: secret }]))
  const asking = await run(first)
  if (asking.ended !== 'asking') throw new TypeError('it asks nothing')
  expect(JSON.stringify([asking.checkpoint, written])).not.toContain('Lovelace')
  const second = scriptedModel(calls(['save', { text: secret }]), calls(['respondToUser', { text: 'Done.' }]))
  const end = await run(second, asking.checkpoint, 'approve')
  expect(end).toMatchObject({ stop: { reason: 'respondToUser' } })
  expect(saved).toEqual([secret])
  expect(second.requests[0]?.messages.map(({ text }) => text)).toEqual([
    'Go.',
    '',
    '1 note',
    expect.stringContaining('make this call again'),
    'done',
  ])
})
