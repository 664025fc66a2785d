import path from 'node:path'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Runtime, systemRuntime } from '@agentm/agent-loop'
import { approvalKind, commandKind, httpKind, moduleKind, type NewStep, type WorkerOptions } from '../src/index.ts'
import { type Setup, setup } from '../../../tools/harness-in-process.mjs'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const environment = { PATH: process.env['PATH'], SECRET: 'do not tell' }
const kinds = [
  approvalKind(),
  commandKind({ environment, maxOutputBytes: 100 }),
  httpKind({ maxBodyBytes: 50 }),
  moduleKind({
    load: async (name) => {
      if (name !== 'sums') throw new Error(`${name} is not allowed`)
      return { default: (_: unknown, { a, b }: { a: number; b: number }) => ({ sum: a + b }), text: () => 'plain' }
    },
  }),
]

/** Runs one step to the end of its plan. */
async function runOne(
  step: Omit<NewStep, 'key' | 'title'>,
  { world = setup(), directoryOf }: { world?: Setup; directoryOf?: WorkerOptions['directoryOf'] } = {},
) {
  closing.push(world.close)
  await world.worker({ kinds, ...(directoryOf && { directoryOf }) })
  const { planId, steps } = await world.harness.createPlan({ goal: 'g', steps: [{ key: 's', title: 's', ...step }] })
  await world.ended(planId)
  return (await world.harness.step(steps['s'] ?? '')).payload
}

async function server(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const http = createServer(answer)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  const address = http.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

const node = (script: string, more: object = {}) => ({
  kind: 'command',
  input: { command: process.execPath, args: ['-e', script], ...more },
})

describe('a command', () => {
  it('gives what it wrote, and sees only the variables it may', async () => {
    const script =
      'console.log(process.env.SECRET ?? "hidden", process.env.MINE, process.env.AGENTM_IDEMPOTENCY_KEY.length)'
    const { status, result } = await runOne(node(script, { environment: { MINE: 'own' } }))
    expect([status, result]).toEqual(['done', { exitCode: 0, stdout: 'hidden own 32\n', stderr: '' }])
  })

  it('fails with what it said last, and only says itself whether another try may help', async () => {
    const failed = await runOne(node('console.error("first\\nlast words"); process.exit(3)'))
    expect(failed.failure).toEqual({ cause: 'step', message: `${process.execPath} ended with 3: last words` })
    const retry = { maxFailures: 2, baseMs: 1, capMs: 1 }
    const passing = await runOne({ ...node('process.exit(75)'), retry })
    expect([passing.failures, passing.attempt]).toEqual([2, 1])
  })

  it('runs in the directory of its step, and takes a directory of its input from there', async () => {
    const runs: string[] = []
    const directoryOf: WorkerOptions['directoryOf'] = async ({ step }) => {
      runs.push(step.title)
      return path.join(process.cwd(), 'packages')
    }
    const print = 'process.stdout.write(process.cwd())'
    const own = await runOne(node(print), { directoryOf })
    expect(own.result).toMatchObject({ stdout: path.join(process.cwd(), 'packages') })
    const below = await runOne(node(print, { directory: 'harness' }), { directoryOf })
    expect(below.result).toMatchObject({ stdout: path.join(process.cwd(), 'packages', 'harness') })
    expect(runs).toEqual(['s', 's'])
  })

  it('says whether the program is absent, or the directory it should run in', async () => {
    const absent = await runOne({ kind: 'command', input: { command: 'no-such-program' } })
    expect(absent.failure?.message).toBe('no-such-program was not started: there is no such program (ENOENT)')
    const nowhere = await runOne(node('', { directory: '/no/such/place' }))
    expect(nowhere.failure?.message).toBe(`${process.execPath} was not started: there is no directory /no/such/place`)
  })

  it('keeps the end of what it writes, without half a character', async () => {
    const { result } = await runOne(node('process.stdout.write("ü".repeat(5000))'))
    expect(result).toMatchObject({ cut: true, stdout: 'ü'.repeat(50) })
  })

  it('ends with everything it started when its time is up', async () => {
    const began = Date.now()
    const { failure } = await runOne({
      kind: 'command',
      input: { command: 'sh', args: ['-c', 'sleep 30 & wait'] },
      timeoutMs: 100,
    })
    expect(failure?.cause).toBe('timeout')
    expect(Date.now() - began).toBeLessThan(25_000)
  })

  it('has all of the time it may take, also where that is longer than a timer of Node', async () => {
    expect(await runOne({ ...node('setTimeout(() => 0, 20)'), timeoutMs: 2 ** 31 + 5 })).toMatchObject({
      status: 'done',
    })
  })

  it('that does not heed the request to end is ended all the same', async () => {
    const politeMs = 2000
    const sleep: Runtime['sleep'] = (ms, signal) => systemRuntime.sleep(ms === politeMs ? 50 : ms, signal)
    const deaf = "process.on('SIGTERM', () => console.log('no')); console.log('up'); setInterval(() => 0, 1000)"
    const chunks: string[] = []
    const spawn: Runtime['spawn'] = (...args) => {
      const child = systemRuntime.spawn(...args)
      child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
      child.on('exit', (_, signal) => chunks.push(signal ?? 'exit'))
      return child
    }
    const world = setup({}, { runtime: { ...systemRuntime, sleep, spawn } })
    closing.push(world.close)
    await world.worker({ kinds })
    const { planId } = await world.harness.createPlan({
      goal: 'g',
      steps: [{ key: 's', title: 's', ...node(deaf) }],
    })
    while (!chunks.join('').includes('up')) await new Promise((resolve) => setTimeout(resolve, 2))
    await world.harness.cancelPlan(planId)
    await expect.poll(() => chunks.at(-1)).toBe('SIGKILL')
    expect(chunks.join('')).toContain('no')
  })

  it('that does not exist, or was not named, fails the step by name', async () => {
    expect((await runOne({ kind: 'command', input: { command: '/nowhere/at-all' } })).failure).toMatchObject({
      code: 'ENOENT',
    })
    expect((await runOne({ kind: 'command', input: {} })).errorMessage).toContain('its input does not fit: command')
  })
})

describe('an HTTP call', () => {
  it('gives the answer, sends its key, and reads JSON as JSON', async () => {
    const keys: unknown[] = []
    const url = await server((request, response) => {
      keys.push(request.headers['idempotency-key'])
      response.setHeader('content-type', 'application/json')
      response.end('{"fine":true}')
    })
    const { result, idempotencyKey } = await runOne({ kind: 'http', input: { url, method: 'POST', body: { a: 1 } } })
    expect(result).toMatchObject({ status: 200, body: { fine: true } })
    expect(keys).toEqual([idempotencyKey])
  })

  it('waits as long as the server asks, and repeats only what may be repeated', async () => {
    let calls = 0
    const url = await server((_, response) => {
      calls += 1
      response.statusCode = calls === 1 ? 429 : 500
      response.setHeader('retry-after', '0')
      response.end()
    })
    const retry = { maxFailures: 5, baseMs: 1, capMs: 1 }
    const { failure, failures } = await runOne({ kind: 'http', input: { url, method: 'POST' }, retry })
    expect([failures, calls, failure?.code]).toEqual([2, 2, 'HTTP_500'])
    calls = 0
    expect((await runOne({ kind: 'http', input: { url, method: 'PUT' }, retry })).failures).toBe(5)
  })

  it('that got no answer is not repeated where it may have arrived', async () => {
    const url = await server((request) => request.socket.destroy())
    const retry = { maxFailures: 3, baseMs: 1, capMs: 1 }
    const post = await runOne({ kind: 'http', input: { url, method: 'POST' }, retry })
    expect([post.failures, post.failure?.code]).toEqual([1, 'UNKNOWN_OUTCOME'])
    expect((await runOne({ kind: 'http', input: { url }, retry })).failures).toBe(3)
  })

  it('that got half an answer counts as one that got none', async () => {
    let calls = 0
    const url = await server((request, response) => {
      calls += 1
      response.writeHead(200, { 'content-length': '10' })
      response.write('half', () => request.socket.destroy())
    })
    const retry = { maxFailures: 3, baseMs: 1, capMs: 1 }
    const post = await runOne({ kind: 'http', input: { url, method: 'POST' }, retry })
    expect([calls, post.failures, post.failure?.code]).toEqual([1, 1, 'UNKNOWN_OUTCOME'])
    expect((await runOne({ kind: 'http', input: { url }, retry })).failures).toBe(3)
  })

  it('keeps the beginning of a long answer', async () => {
    const url = await server((_, response) => response.end('x'.repeat(1000)))
    expect((await runOne({ kind: 'http', input: { url } })).result).toMatchObject({ body: 'x'.repeat(50), cut: true })
  })
})

describe('a module', () => {
  it('gives what its function answers', async () => {
    const args = { a: 1, b: 2 }
    expect((await runOne({ kind: 'module', input: { module: 'sums', args } })).result).toEqual({ sum: 3 })
    expect((await runOne({ kind: 'module', input: { module: 'sums', export: 'text' } })).result).toEqual({
      value: 'plain',
    })
  })

  it('that is not allowed, or has no such function, fails the step', async () => {
    expect((await runOne({ kind: 'module', input: { module: 'fs' } })).errorMessage).toBe('fs is not allowed')
    const none = await runOne({ kind: 'module', input: { module: 'sums', export: 'none' } })
    expect(none.errorMessage).toBe('sums exports no function none')
  })
})

/** An approval step whose question stands. */
async function asked(input: NewStep['input']) {
  const world = setup()
  closing.push(world.close)
  await world.worker({ kinds })
  const steps = [{ key: 's', title: 'Ship it?', kind: 'approval', ...(input && { input }) }]
  const { planId, steps: ids } = await world.harness.createPlan({ goal: 'g', steps })
  const stepId = ids['s'] ?? ''
  // By the log: on a busy machine a question may be over before anybody looks.
  const hasAsked = async () =>
    (await world.store.log.history(stepId, { owner: 'ada' })).some(({ status }) => status === 'blocked')
  while (!(await hasAsked())) await new Promise((resolve) => setTimeout(resolve, 2))
  const [waiting] = await world.harness.waiting(planId)
  return { ...world, planId, stepId, questionId: waiting?.ask?.questionId ?? '', ask: waiting?.ask }
}

describe('an approval', () => {
  it('asks, and is done with the answer', async () => {
    const { harness, ended, planId, stepId, questionId, ask } = await asked(undefined)
    expect(ask).toMatchObject({ text: 'Ship it?', allowed: ['approve', 'deny'] })
    await harness.answer(stepId, { questionId, value: 'approve', actor: 'ann' })
    expect((await ended(planId)).status).toBe('done')
    expect((await harness.step(stepId)).payload.result).toEqual({ answer: 'approve', actor: 'ann' })
  })

  it('fails permanently when it is declined', async () => {
    const { harness, ended, planId, stepId, questionId } = await asked({ allowed: ['go', 'stop'], declines: ['stop'] })
    await harness.answer(stepId, { questionId, value: 'stop', actor: 'ann' })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(stepId)).payload).toMatchObject({
      errorMessage: 'ann answered stop',
      failure: { code: 'DECLINED' },
    })
  })

  it('asks anew when a step that was declined is tried again', async () => {
    const world = setup()
    closing.push(world.close)
    await world.worker({ kinds })
    // The other one keeps the plan open.
    const approvals = ['s', 'other'].map((key) => ({ key, title: key, kind: 'approval' }))
    const { planId, steps } = await world.harness.createPlan({ goal: 'g', steps: approvals })
    const stepId = steps['s'] ?? ''
    const questionOf = async () =>
      (await world.harness.waiting(planId)).find((row) => row.stepId === stepId)?.ask?.questionId
    await expect.poll(questionOf).toBeDefined()
    const first = await questionOf()
    await world.harness.answer(stepId, { questionId: first ?? '', value: 'deny' })
    await expect.poll(async () => (await world.harness.step(stepId)).status).toBe('failed')
    await world.harness.retryStep(stepId)
    await expect.poll(questionOf).toBeDefined()
    expect(await questionOf()).not.toBe(first)
  })

  it('takes the default once its time has passed', async () => {
    const { ended, harness, planId, stepId } = await asked({ deadlineMs: 20, default: 'deny' })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(stepId)).payload.errorMessage).toBe('deadline answered deny')
  })

  it('that could take a default nobody may give is refused', async () => {
    const { errorMessage } = await runOne({ kind: 'approval', input: { default: 'maybe' } })
    expect(errorMessage).toBe('its input does not fit: default: is not among the allowed answers')
  })
})
