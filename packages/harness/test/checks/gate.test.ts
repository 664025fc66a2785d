import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, type Model } from '@agentm/agent-loop'
import { calls, scriptedModel } from '../../../../tools/model-in-process.mjs'
import { type Setup, setup } from '../../../../tools/harness-in-process.mjs'
import {
  agentKind,
  approvalKind,
  checkKind,
  commandKind,
  type NewCheck,
  type NewStep,
  readTrace,
  traceMetrics,
  type WorkerOptions,
} from '../../src/index.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const settingFor = (tool: string) => (tool === 'shell' ? 'agentm config set tools.shell.allow npm' : undefined)

async function world(
  model: Model = scriptedModel({ text: 'Done.' }),
  checks: NonNullable<WorkerOptions['checks']> = {},
) {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-checks-'))
  closing.push(() => rm(directory, { recursive: true, force: true }))
  const made: Setup = setup()
  closing.push(() => made.close())
  const write = defineTool({
    name: 'files_write',
    description: 'Writes a file.',
    input: z.object({ path: z.string(), text: z.string() }),
    nature: 'idempotent',
    run: async ({ path: name, text }) => {
      await writeFile(path.join(directory, name), text)
      return 'written'
    },
  })
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({}),
    nature: 'pure',
    run: async () => 'nothing',
  })
  const kinds = [
    agentKind({ log: made.store.log, modelOf: () => model, tools: [write, look], settingFor }),
    commandKind(),
    approvalKind(),
    checkKind(),
  ]
  await made.worker({ kinds, checks, directoryOf: async () => directory })
  const start = async (step: Partial<NewStep> & { readonly check?: NewCheck }, more: object = {}) => {
    const plan = await made.harness.createPlan({
      goal: 'a checked step',
      steps: [{ key: 'a', title: 'Say four', kind: 'agent', ...step }],
      ...more,
    })
    return { ...plan, id: plan.steps['a'] ?? '' }
  }
  const run = async (step: Parameters<typeof start>[0], more: object = {}) => {
    const { planId, id } = await start(step, more)
    const { status, errorMessage } = await made.ended(planId).then(({ payload }) => payload)
    return { status, errorMessage, planId, id, step: (await made.harness.step(id)).payload }
  }
  return { ...made, directory, start, run }
}

const once = { maxFailures: 1, maxCrashes: 5, baseMs: 1, capMs: 1 }

/** Passes if the file `answer` holds 4. */
const holdsFour: NewCheck = {
  commands: [
    {
      command: process.execPath,
      args: [
        '-e',
        `const text = require('node:fs').readFileSync('answer', 'utf8'); if (text !== '4') { console.log('answer is ' + text); process.exit(3) }`,
      ],
    },
  ],
}

const writes = (text: string) => calls(['files_write', { path: 'answer', text }])
const says = (text: string) => calls(['respondToUser', { text }])

describe('a step with a check', () => {
  it('goes on in the same conversation with what the check printed, and is done once it passes', async () => {
    const model = scriptedModel(writes('5'), says('It is 4.'), writes('4'), says('Now it is.'))
    const { run, store } = await world(model)
    const { status, step, planId } = await run({ check: holdsFour })
    expect(status).toBe('done')
    expect(step).toMatchObject({ result: { text: 'Now it is.' }, attempt: 0 })
    const heard = model.requests[2]?.messages ?? []
    expect(heard.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('answer is 5') })
    expect(heard.at(-1)?.text).toContain('round 1 of 3')
    expect(heard.slice(0, -1).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ])
    const { events } = await readTrace(store.log, { planId, owner: 'ada' })
    const rounds = events.filter(({ content }) => content.startsWith('check '))
    expect(rounds.map(({ content }) => content.split(':')[0])).toEqual([
      'check did not pass (round 1 of 3)',
      'check passed (round 2 of 3)',
    ])
  })

  it('fails after its rounds with what each of them printed, and is not tried again', async () => {
    const model = scriptedModel(writes('5'), says('Done.'), writes('6'), says('Done.'))
    const { run } = await world(model)
    const { status, step, errorMessage } = await run({ check: { ...holdsFour, rounds: 2 } })
    expect(status).toBe('failed')
    expect(step.failure).toMatchObject({ code: 'CHECK_FAILED', retryable: false })
    expect(step.result).toBeUndefined()
    expect(errorMessage).toMatch(/did not pass in 2 rounds[^]*answer is 5[^]*answer is 6/u)
    expect(model.requests).toHaveLength(4)
  })

  it('of another kind fails as a step fails, by its retry policy', async () => {
    const { run, directory } = await world()
    const program = `const fs = require('node:fs'); fs.appendFileSync('runs', 'x'); fs.writeFileSync('answer', String(fs.readFileSync('runs', 'utf8').length + 2))`
    const { status, step } = await run({
      kind: 'command',
      input: { command: process.execPath, args: ['-e', program] },
      retry: { ...once, maxFailures: 5 },
      check: holdsFour,
    })
    expect(status).toBe('done')
    expect(step).toMatchObject({ failures: 1, attempt: 1 })
    expect(await readFile(path.join(directory, 'runs'), 'utf8')).toBe('xx')
  })

  it('fails when a program of its check does not end in time', async () => {
    const { run } = await world()
    const commands = [{ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], timeoutMs: 200 }]
    const { step } = await run({ check: { commands, rounds: 1 } })
    expect(step.failure?.message).toContain('did not end within 200 ms')
  })

  it('is not started where its programs may not run', async () => {
    const model = scriptedModel(says('Done.'))
    const { run } = await world(model, { mayRun: async () => false })
    const { step } = await run({ check: holdsFour })
    expect(step.failure).toMatchObject({ code: 'CHECK_NOT_ALLOWED', retryable: false })
    expect(step.failure?.message).toContain('agentm config set harness.kinds')
    expect(model.requests).toEqual([])
  })

  it('must give a result that fits the schema', async () => {
    const model = scriptedModel(says('four'), says('{"sum":"4"}'), says('{"sum":4}'))
    const { run } = await world(model)
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const { status, step } = await run({ check: { schema } })
    expect([status, step.result?.['text']]).toEqual(['done', '{"sum":4}'])
    expect(model.requests[2]?.messages.at(-1)?.text).toContain('sum')
  })

  it('must leave protected files as they are, and may add others', async () => {
    const model = scriptedModel(
      calls(['files_write', { path: 'sum.test.js', text: '// nothing to test' }]),
      says('All tests pass.'),
      calls(
        ['files_write', { path: 'sum.test.js', text: 'test(4)' }],
        ['files_write', { path: 'b.test.js', text: 'test(5)' }],
      ),
      says('Put back.'),
    )
    const { start, ended, directory, harness } = await world(model)
    await writeFile(path.join(directory, 'sum.test.js'), 'test(4)')
    await writeFile(path.join(directory, 'password.test.js'), 'test(6)')
    const { planId, id } = await start({ check: { protect: ['*.test.js', 'package.json#scripts'] } })
    expect((await ended(planId)).payload.status).toBe('done')
    expect((await harness.step(id)).payload.result).toMatchObject({ text: 'Put back.' })
    expect(model.requests[2]?.messages.at(-1)?.text).toContain('sum.test.js (changed). Put them back')
  })
})

describe('a check by a person', () => {
  it('waits for the answer without running the step again', async () => {
    const { start, ended, harness, directory } = await world()
    const { planId, id } = await start({
      kind: 'command',
      input: { command: process.execPath, args: ['-e', `require('node:fs').appendFileSync('runs', 'x')`] },
      check: { ask: { question: 'Does it look right?' } },
    })
    const questionId = await waitFor(async () => {
      const { waitsFor } = (await harness.step(id)).payload
      return waitsFor?.for === 'answer' ? waitsFor.question.id : undefined
    })
    await harness.answer(id, { questionId, value: 'yes' })
    expect((await ended(planId)).payload.status).toBe('done')
    expect(await readFile(path.join(directory, 'runs'), 'utf8')).toBe('x')
  })

  it('sends an agent back with the reason of the answer', async () => {
    const model = scriptedModel(says('Blue.'), says('Red.'))
    const { start, ended, harness } = await world(model)
    const { planId, id } = await start({ check: { ask: { question: 'Is it red?' } } })
    const asked = (but?: string) =>
      waitFor(async () => {
        const { waitsFor } = (await harness.step(id)).payload
        return waitsFor?.for === 'answer' && waitsFor.question.id !== but ? waitsFor.question.id : undefined
      })
    const first = await asked()
    await harness.answer(id, { questionId: first, value: 'no', reason: 'it is blue' })
    await harness.answer(id, { questionId: await asked(first), value: 'yes' })
    expect((await ended(planId)).payload.status).toBe('done')
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('answered no: it is blue')
  })
})

const verdict = (passed: boolean, why: string) => ({
  text: JSON.stringify({ passed, why }),
  usage: { inputTokens: 100, outputTokens: 20 },
})

describe('a check by a model', () => {
  const check: NewCheck = { judge: { rubric: 'It names the number.' } }

  it('says why a result does not fit, and costs what it costs', async () => {
    const model = scriptedModel(says('Soon.'), says('Four.'))
    const judge = {
      ...scriptedModel(verdict(false, 'no number'), verdict(true, 'it says four')),
      costMicrosOf: () => 7,
    }
    const { run, harness, store } = await world({ ...model, costMicrosOf: () => 1 }, { judge: async () => judge })
    const { status, planId } = await run({ check }, { budget: { maxTokens: 100_000, maxCostMicros: 1000 } })
    expect(status).toBe('done')
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('the judge says: no number')
    // Two answers of 15 tokens and two verdicts of 120, at 1 and at 7 millionths.
    expect(await harness.usage(planId)).toMatchObject({ tokens: 270, costMicros: 16 })
    expect(traceMetrics(await readTrace(store.log, { planId, owner: 'ada' })).tokens).toBe(270)
  })

  it('is not asked beyond the budget of the plan', async () => {
    const judge = scriptedModel(verdict(true, 'fine'))
    const long = { text: 'Four.', usage: { inputTokens: 4300, outputTokens: 100 } }
    const { run } = await world(scriptedModel(long), { judge: async () => judge })
    const { step } = await run({ check }, { budget: { maxTokens: 5000 } })
    expect(step.failure).toMatchObject({ code: 'budget_exhausted' })
    expect(judge.requests).toEqual([])
  })

  it('counts a verdict that broke off as used, and asks again only within the budget of the plan', async () => {
    const rich = await judgedWithin(20_000)
    expect([rich.step.status, (rich.lost ?? 0) > 1024]).toEqual(['done', true])
    const poor = await judgedWithin(4500)
    expect(poor.step.failure).toMatchObject({ code: 'budget_exhausted' })
  })

  it.each([
    ['there is none', undefined, 'CHECK_WITHOUT_MODEL'],
    ['it has no price and money is limited', scriptedModel(verdict(true, 'fine')), 'MODEL_UNPRICED'],
  ] as const)('fails the step if %s', async (_, judge, code) => {
    const { run } = await world(
      { ...scriptedModel(says('Four.')), costMicrosOf: () => 1 },
      { judge: async () => judge },
    )
    const { step } = await run({ check }, { budget: { maxCostMicros: 1_000_000 } })
    expect(step.failure).toMatchObject({ code, retryable: false })
  })
})

/** The first verdict breaks off. */
async function judgedWithin(maxTokens: number) {
  const judge = scriptedModel(async ({ mayAskAgain }) => {
    const error = new Error('cut off')
    if ((await mayAskAgain?.(error)) === false) throw error
    return verdict(true, 'fine')
  })
  const long = { text: 'Four.', usage: { inputTokens: 2500, outputTokens: 100 } }
  const { run, harness } = await world(scriptedModel(long), { judge: async () => judge })
  const check: NewCheck = { judge: { rubric: 'It names the number.' } }
  const { step, planId } = await run({ check }, { budget: { maxTokens } })
  return { step, lost: (await harness.status(planId)).lost?.tokens }
}

const plan = (check: NewCheck) => ({
  goal: 'four',
  check,
  steps: [
    {
      key: 'check',
      title: 'Write',
      kind: 'command',
      input: { command: process.execPath, args: ['-e', `require('node:fs').writeFileSync('answer', '4')`] },
    },
    { key: 'b', title: 'Ask', kind: 'command', input: { command: process.execPath, args: ['-e', ''] } },
  ],
})

describe('a plan with a check', () => {
  it('is done only after the check of all its steps has passed', async () => {
    const { harness, ended } = await world()
    const { planId, steps } = await harness.createPlan(plan(holdsFour))
    expect(Object.keys(steps)).toEqual(['check', 'b', 'check-2'])
    expect((await ended(planId)).payload.status).toBe('done')
    expect((await harness.step(steps['check-2'] ?? '')).payload).toMatchObject({ kind: 'check', status: 'done' })
  })

  it('fails with what the check printed', async () => {
    const { harness, ended } = await world()
    const says5 = [{ command: process.execPath, args: ['-e', `console.log('it is five'); process.exit(1)`] }]
    const { planId } = await harness.createPlan(plan({ commands: says5 }))
    const { status, errorMessage } = (await ended(planId)).payload
    expect(status).toBe('failed')
    expect(errorMessage).toMatch(/"Check the plan" failed: the check did not pass: .*ended with 1\nit is five/u)
  })

  it('is the same plan when it is created again, and takes no further step', async () => {
    const { harness } = await world(scriptedModel({ text: 'Done.' }), { mayRun: async () => false })
    const request = { ...plan({ commands: [{ command: 'true' }] }), id: 'twice' }
    const { planId } = await harness.createPlan(request)
    expect(await harness.createPlan(request)).toMatchObject({ planId, created: false })
    await expect(harness.addStep(planId, { key: 'c', title: 'C', kind: 'command' })).rejects.toMatchObject({
      message: expect.stringContaining('its check would not cover another step'),
    })
  })

  it.each([
    [{ rounds: 2 }, 'a check needs at least one of'],
    [{ commands: [{ command: 'npm', arguments: ['test'] }] }, 'Unrecognized key'],
    [{ ask: { question: 'Well?', passes: ['maybe'] } }, 'must be one of the options'],
    [{ protect: ['test/**'] }, 'does not say how they were before the first step'],
  ])('is refused if the check is %o', async (check, why) => {
    const { harness } = await world()
    await expect(harness.createPlan(plan(check as NewCheck))).rejects.toMatchObject({
      code: 'INVALID_PLAN',
      message: expect.stringContaining(why),
    })
  })
})

describe('an agent whose calls are refused', () => {
  it.each([
    ['all of them', [calls(['nope', {}], ['shell', {}]), says('Fixed.')], 'calls of nope, shell were refused'],
    ['all that would change something', [calls(['look', {}]), calls(['shell', {}]), says('Fixed.')], 'calls of shell'],
  ])('is not done, whatever it says: %s', async (_, lines, why) => {
    const { run } = await world(scriptedModel(...lines))
    const { status, step } = await run({})
    expect(status).toBe('failed')
    expect(step.failure).toMatchObject({
      code: 'REFUSED_TOOLS',
      retryable: false,
      message: expect.stringContaining(why),
    })
    expect(step.failure?.message).toContain('agentm config set tools.shell')
  })

  it.each([
    ['it found another way', [calls(['shell', {}]), writes('4'), says('Fixed.')]],
    ['only a question was asked', [calls(['look', {}], ['nope', {}]), says('It is four.')]],
    ['it called nothing', [says('It is four.')]],
  ])('is done all the same if %s', async (_, lines) => {
    const { run } = await world(scriptedModel(...lines))
    expect((await run({})).status).toBe('done')
  })
})

async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
