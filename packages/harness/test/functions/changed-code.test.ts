import { createInMemoryStore } from '@agentm/conformance/logs'
import {
  durable,
  type FunctionHandle,
  type Harness,
  harnessConcepts,
  openHarness,
  replayAgainst,
  type Run,
  startWorker,
} from '@agentm/harness'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const shape = { input: z.object({}) }
type Body = (run: Run) => Promise<unknown>

/** The run that every change meets: two steps are recorded, and it waits for a signal. */
const before: Body = async (run) => {
  await run.step('build', () => 1)
  await run.step('test', () => 2)
  await run.signal('go')
  return run.step('ship', () => 'shipped')
}

/** A change that only adds to the end. */
const longer: Body = async (run) => {
  await run.step('build', () => 1)
  await run.step('test', () => 2)
  await run.signal('go')
  await run.step('announce', () => 3)
  return 'announced'
}

/** A change that is guarded. */
const patched: Body = async (run) => {
  await run.step('build', () => 1)
  if (await run.patched('lint')) await run.step('lint', () => 0)
  await run.step('test', () => 2)
  await run.signal('go')
  return run.step('ship', () => 'shipped')
}

const changes: readonly (readonly [string, Body, string])[] = [
  [
    'an inserted step',
    async (run) => {
      await run.step('build', () => 1)
      await run.step('lint', () => 0)
      await run.step('test', () => 2)
      await run.signal('go')
    },
    'at position 1 it recorded step "test", and the code now asks for step "lint"',
  ],
  [
    'a removed step',
    async (run) => {
      await run.step('build', () => 1)
      await run.signal('go')
    },
    'at position 1 it recorded step "test", and the code now asks for signal "go"',
  ],
  [
    'a removed last step',
    async (run) => {
      await run.step('build', () => 1)
      await run.step('test', () => 2)
    },
    'at position 2 it recorded signal "go", and the code no longer asks for it',
  ],
  [
    'a renamed step',
    async (run) => {
      await run.step('compile', () => 1)
      await run.step('test', () => 2)
      await run.signal('go')
    },
    'at position 0 it recorded step "build", and the code now asks for step "compile"',
  ],
  [
    'two steps in another order',
    async (run) => {
      await run.step('test', () => 2)
      await run.step('build', () => 1)
      await run.signal('go')
    },
    'at position 0 it recorded step "build", and the code now asks for step "test"',
  ],
  [
    'another operation of the same name',
    async (run) => {
      await run.step('build', () => 1)
      await run.step('test', () => 2)
      await run.step('go', () => 3)
    },
    'at position 2 it recorded signal "go", and the code now asks for step "go"',
  ],
]

describe('code that changed under a running function', () => {
  let store: ReturnType<typeof createInMemoryStore>
  let harness: Harness
  beforeEach(() => {
    store = createInMemoryStore({ concepts: harnessConcepts })
    harness = openHarness({ store, owner: 'ada', actor: 'test' })
  })
  afterEach(async () => store.close())

  const workOn = async (
    body: Body,
    untilDone: (errors: readonly unknown[]) => Promise<boolean>,
  ): Promise<unknown[]> => {
    const errors: unknown[] = []
    const kinds = [durable('release', shape, body)]
    const worker = await startWorker({ store, owners: ['ada'], kinds, onError: (error) => void errors.push(error) })
    await until(async () => untilDone(errors))
    await worker.stop()
    return errors
  }
  const waitsForSignal = async (): Promise<boolean> =>
    (await harness.waiting()).some(({ waitsFor }) => waitsFor.for === 'signal')
  const started = async (): Promise<FunctionHandle> => {
    const handle = await harness.start(durable('release', shape, before), {})
    await workOn(before, waitsForSignal)
    return handle
  }

  it.each(changes)(
    '%s stops the run, names both, changes nothing, and the old code goes on',
    async (_, changed, message) => {
      const handle = await started()
      const recorded = await handle.history()
      await handle.signal('go')
      const isStopped = async (): Promise<boolean> =>
        (await harness.waiting()).some(({ waitsFor }) => waitsFor.for === 'code')
      const errors = await workOn(changed, isStopped)
      expect(String(errors[0])).toContain(message)
      const [waiting] = await harness.waiting()
      expect(waiting?.waitsFor).toMatchObject({ for: 'code', message: expect.stringContaining(message) })
      expect(await handle.history()).toEqual(recorded)
      await expect(replayAgainst(recorded, durable('release', shape, changed))).rejects.toMatchObject({
        code: 'NONDETERMINISM',
        message: expect.stringContaining(message),
      })

      await harness.retryStep(waiting?.stepId ?? '')
      await workOn(before, async () => (await handle.status()) === 'done')
      expect(await handle.result()).toBe('shipped')
    },
  )

  it('is no change if it only goes on differently after what was recorded', async () => {
    const handle = await started()
    expect((await replayAgainst(await handle.history(), durable('release', shape, longer))).ended).toBe('open')
    await handle.signal('go')
    await workOn(longer, async () => (await handle.status()) === 'done')
    expect(await handle.result()).toBe('announced')
  })

  it('can be guarded: old runs pass a patch by, new runs take it', async () => {
    const old = await started()
    const fresh = await harness.start(durable('release', shape, patched), {}, { id: 'fresh' })
    await old.signal('go')
    await fresh.signal('go')
    await workOn(patched, async () => (await old.status()) === 'done' && (await fresh.status()) === 'done')
    expect(await namesOf(old)).toEqual(['build', 'test', 'ship'])
    expect(await namesOf(fresh)).toEqual(['build', 'lint', 'test', 'ship'])
  })

  it('of a new version takes new runs only: old runs wait for a worker that has the old code', async () => {
    const second = durable('release', { ...shape, version: 2 }, async (run) => run.step('all at once', () => 'second'))
    const old = await started()
    await old.signal('go')
    const fresh = await harness.start(second, {}, { id: 'fresh' })
    const worker = await startWorker({ store, owners: ['ada'], kinds: [second] })
    expect(await fresh.result()).toBe('second')
    expect(await old.status()).toBe('running')
    await worker.stop()
    await workOn(before, async () => (await old.status()) === 'done')
    expect(await old.result()).toBe('shipped')
  })
})

async function until(look: () => Promise<boolean>): Promise<void> {
  for (let left = 400; left > 0; left--) {
    if (await look()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it did not happen')
}

async function namesOf(handle: FunctionHandle): Promise<readonly string[]> {
  return (await handle.history()).entries.flatMap(({ entry: { op, name } }) => (op === 'step' ? [name] : []))
}
