import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Checkpoint,
  createEffectLog,
  defineTool,
  type EffectLog,
  type EffectRecord,
  type InnerLoopOptions,
  type LoopEnd,
  type Question,
  runInnerLoop,
  type Tool,
  ToolError,
} from '../../src/index.ts'
import { effectKey } from '../../src/loop/pure/effect-key.ts'
import { type Verdict } from '../../src/loop/tool.ts'
import { calls, patientRuntime, protocolProblem, scriptedModel } from '../../../../tools/model-in-process.mjs'

const messages = [{ role: 'user', text: 'Charge the card.' }] as const
const args = '{"cents":500}'
const identity = { plan: 'p', step: 's', tool: 'charge', args }
const key = effectKey({ ...identity, ordinal: 1 })

/** A world outside that counts what is done to it. */
function setup(fault: () => void = () => {}, verify?: () => Promise<Verdict>) {
  const charged: string[] = []
  const log: string[] = []
  const inner = createEffectLog()
  const effects: EffectLog = {
    store: inner.store,
    read: async (call) => inner.read(call),
    intend: async (call) => {
      log.push(`intend ${call.ordinal}`)
      await inner.intend(call)
    },
    succeed: async (call, text) => {
      log.push(`succeed ${call.ordinal}`)
      await inner.succeed(call, text)
    },
    fail: async (call, message) => {
      log.push(`fail ${call.ordinal}`)
      await inner.fail(call, message)
    },
  }
  const charge = defineTool({
    name: 'charge',
    description: 'Charges the card.',
    input: z.object({ cents: z.number() }),
    nature: 'effectful',
    run: async (_, { key: passed }) => {
      fault()
      log.push('charge')
      charged.push(passed)
      return `receipt ${charged.length}`
    },
    ...(verify !== undefined && { verify }),
  })
  const run = async (model: InnerLoopOptions['model'], options: Partial<InnerLoopOptions> = {}) =>
    runInnerLoop({
      model,
      messages,
      tools: [charge],
      work: { plan: 'p', step: 's', effects },
      runtime: patientRuntime(),
      ...options,
    })
  const record = async (ordinal = 1): Promise<EffectRecord | undefined> =>
    effects.read({ ...identity, key: effectKey({ ...identity, ordinal }), ordinal, nature: 'effectful' })
  return { run, charged, log, effects, record, charge }
}

const once = () => scriptedModel(calls(['charge', args]), { text: 'Charged.' })
const twice = () => scriptedModel(calls(['charge', args]), calls(['charge', args]), { text: 'Charged.' })

describe('an effectful call', () => {
  it('writes that it begins before it happens, and that it happened after', async () => {
    const { run, log } = setup()
    await run(once())
    expect(log).toEqual(['intend 1', 'charge', 'succeed 1'])
  })

  it('is answered from the log when the step is run again, whatever ids and spelling the model uses', async () => {
    const { run, charged } = setup()
    await run(once())
    const again = scriptedModel(calls([' charge ', '{ "cents" : 5e2 }']), { text: 'Charged.' })
    await run(again)
    expect(charged).toEqual([key])
    expect(again.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'receipt 1', failed: false })
  })

  it('is a second effect when the model makes it again on purpose, and no third when the step is run again', async () => {
    const { run, charged } = setup()
    await run(twice())
    await run(twice())
    expect(charged).toEqual([key, effectKey({ ...identity, ordinal: 2 })])
  })

  it('is one effect when the same call stands twice in one reply, and both ids are answered', async () => {
    const { run, charged } = setup()
    const model = scriptedModel(calls(['charge', args], ['charge', args]), { text: 'ok' })
    await run(model)
    expect(charged).toHaveLength(1)
    expect(model.requests[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2)
  })

  it('happens once when two loops make it at the same time', async () => {
    const { run, charged } = setup()
    await Promise.all([run(once()), run(once())])
    expect(charged).toHaveLength(1)
  })

  it('that failed for certain is the same call when it is tried again', async () => {
    let faults = 1
    const { run, charged, log } = setup(() => {
      if (faults-- > 0) throw new ToolError('validation', 'card is locked')
    })
    await run(twice())
    expect(log).toEqual(['intend 1', 'fail 1', 'intend 1', 'charge', 'succeed 1'])
    await run(once())
    expect(charged).toHaveLength(1)
  })

  it('is retried mechanically only while nothing can have happened', async () => {
    let faults = 2
    const { run, charged } = setup(() => {
      if (faults-- > 0) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    })
    await run(once())
    expect(charged).toHaveLength(1)
  })

  it('keeps no failure as an answer', async () => {
    let faults = 1
    const { run, charged } = setup(() => {
      if (faults-- > 0) throw new ToolError('permission', 'not today')
    })
    await run(scriptedModel(calls(['charge', args]), { text: 'Not today.' }))
    await run(once())
    expect(charged).toHaveLength(1)
  })
})

describe('an effect in doubt', () => {
  it('is not tried again, and ends the loop where nobody can be asked', async () => {
    let tries = 0
    const { run, record } = setup(() => {
      tries++
      lost()
    })
    const end = await run(once())
    expect(end).toMatchObject({ ended: 'stopped', stop: { reason: 'hard_error', source: 'effect' } })
    expect(tries).toBe(1)
    expect(await record()).toEqual({ state: 'intended', intents: 1 })
    const again = await run(once())
    expect(again).toMatchObject({ stop: { source: 'effect' } })
    expect(tries).toBe(1)
  })

  it.each([
    ['a file that is not there', () => Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })],
    ['an answer that does not fit', () => z.object({ id: z.string() }).safeParse({}).error],
    ['something not found', () => new Error('receipt not found')],
    ['a step of its own that refused', () => new Error('no receipt', { cause: new ToolError('not_found', 'none') })],
  ])('is one whose tool stumbled over %s: it may have acted before that', async (_, stumble) => {
    const { run, record, charge } = setup()
    let charged = 0
    const clumsy: Tool = {
      ...charge,
      async run() {
        charged++
        throw stumble() as Error
      },
    }
    const end = await run(twice(), { tools: [clumsy] })
    expect(end).toMatchObject({ stop: { reason: 'hard_error', source: 'effect' } })
    expect(charged).toBe(1)
    expect(await record()).toEqual({ state: 'intended', intents: 1 })
  })

  it.each([
    ['it happened', { happened: true, text: 'receipt 77' }, 'receipt 77', 'succeeded', 1],
    ['it did not', { happened: false }, '"type":"unavailable"', 'failed', 1],
  ] as const)('is looked up where the tool can: %s', async (_, verdict, text, state, tries) => {
    let tried = 0
    const { run, record } = setup(
      () => {
        tried++
        lost()
      },
      async () => verdict,
    )
    const model = once()
    await run(model)
    expect(model.requests[1]?.messages.at(-1)?.text).toContain(text)
    expect(await record()).toMatchObject({ state })
    expect(tried).toBe(tries)
  })

  it('from an earlier run is done when the look says that it did not happen', async () => {
    const { run, charged, effects } = setup(undefined, async () => ({ happened: false }))
    await effects.intend({ ...identity, key, ordinal: 1, nature: 'effectful' })
    await run(once())
    expect(charged).toHaveLength(1)
  })

  it('is asked about when the look fails or cannot tell', async () => {
    for (const verify of [
      async (): Promise<Verdict> => ({ happened: 'unknown' }),
      async (): Promise<Verdict> => Promise.reject(new Error('no network')),
    ]) {
      const { run, effects, charged } = setup(undefined, verify)
      await effects.intend({ ...identity, key, ordinal: 1, nature: 'effectful' })
      const end = await run(once(), { ask: async () => undefined })
      expect(end).toMatchObject({ ended: 'asking', question: { about: { why: 'in_doubt', tool: 'charge' } } })
      expect(charged).toEqual([])
    }
  })

  it.each([
    ['happened', 0, 'text_only'],
    ['did_not_happen', 1, 'text_only'],
    ['stop', 0, 'hard_error'],
    ['whatever', 0, 'hard_error'],
  ])('goes on as a person answers: %s', async (answer, times, reason) => {
    const { run, effects, charged } = setup()
    await effects.intend({ ...identity, key, ordinal: 1, nature: 'effectful' })
    const end = await run(once(), { ask: async () => answer })
    expect(end).toMatchObject({ stop: { reason } })
    expect(charged).toHaveLength(times)
  })

  it('stays in doubt when the run is called off in the middle', async () => {
    const controller = new AbortController()
    const { run, record } = setup(() => {
      controller.abort()
      lost()
    })
    const end = await run(once(), { signal: controller.signal, ask: async () => 'happened' })
    expect(end).toMatchObject({ stop: { source: 'cancelled' } })
    expect(await record()).toMatchObject({ state: 'intended' })
  })
})

describe('a call that needs approval', () => {
  it('waits for a person, holds nothing meanwhile, and goes on without asking the model again', async () => {
    const { run, charge, charged } = setup()
    const asked: Question[] = []
    const first = await run(once(), {
      tools: approved(charge),
      ask: async (question) => {
        asked.push(question)
        return undefined
      },
    })
    expect(charged).toEqual([])
    const kept = JSON.parse(JSON.stringify(checkpointIn(first))) as Checkpoint
    const model = scriptedModel({ text: 'Charged.' })
    const end = await run(model, {
      tools: approved(charge),
      from: kept,
      ask: async (question) => {
        asked.push(question)
        return 'approve'
      },
    })
    expect(end).toMatchObject({ ended: 'stopped', iterations: 2 })
    expect(charged).toEqual([key])
    expect(model.requests).toHaveLength(1)
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
  })

  it('is not made when it is denied, or when there is nobody to ask', async () => {
    for (const ask of [async () => 'deny', undefined]) {
      const { run, charge, charged } = setup()
      const model = once()
      await run(model, { tools: approved(charge), ...(ask !== undefined && { ask }) })
      expect(charged).toEqual([])
      expect(model.requests[1]?.messages.at(-1)?.text).toContain('"type":"permission"')
    }
  })

  it('is asked for again, as another question, for another call', async () => {
    const { run, charge } = setup()
    const asked: string[] = []
    await run(twice(), {
      tools: approved(charge),
      ask: async ({ id }) => {
        asked.push(id)
        return 'approve'
      },
    })
    expect(new Set(asked).size).toBe(2)
  })
})

describe('a loop that died', () => {
  it('goes on from what was saved: no reply is asked for twice, no effect is repeated', async () => {
    const saved: Checkpoint[] = []
    const { run, charged, charge } = setup()
    const dying = {
      ...charge,
      name: 'die',
      nature: 'idempotent' as const,
      run: async () => Promise.reject(new Crash()),
    }
    const first = scriptedModel(calls(['charge', args], ['die', {}]))
    const save = async (checkpoint: Checkpoint): Promise<void> => {
      saved.push(structuredClone(checkpoint))
    }
    const died = run(first, {
      tools: [charge, { ...dying, parse: (value) => value }],
      save,
      observe: ({ data }) => {
        if (data['toolName'] === 'die') throw new Crash()
      },
    })
    await expect(died).rejects.toThrow(Crash)
    const from = saved.at(-1)
    expect(from?.messages.at(-1)).toMatchObject({ role: 'assistant' })
    const second = scriptedModel({ text: 'Done.' })
    const end = await run(second, {
      tools: [charge, { ...dying, parse: (value) => value, run: async () => 'fine' }],
      ...(from !== undefined && { from }),
    })
    expect(end).toMatchObject({ stop: { reason: 'text_only', text: 'Done.' } })
    expect(charged).toEqual([key])
    expect(second.requests).toHaveLength(1)
    expect(protocolProblem(second.requests[0]?.messages ?? [])).toBe(undefined)
  })
})

class Crash extends Error {}

function lost(): never {
  throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
}

function approved(tool: Tool): readonly Tool[] {
  return [{ ...tool, needsApproval: true }]
}

function checkpointIn(end: LoopEnd): Checkpoint {
  if (end.ended !== 'asking') throw new TypeError('the loop was not asking')
  return end.checkpoint
}
