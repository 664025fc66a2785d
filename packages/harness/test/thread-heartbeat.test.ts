import { Worker } from 'node:worker_threads'
import { threadHeartbeat } from '@agentm/harness'
import { expect, it } from 'vitest'

it('can be stopped when its thread is gone already, and has told why', async () => {
  const thread = new Worker('throw new Error("the store is away")', { eval: true })
  const errors: unknown[] = []
  const gone = new Promise((resolve) => thread.once('exit', resolve))
  const beating = threadHeartbeat({ startThread: () => thread }).start({
    session: 's',
    leaseMs: 60_000,
    everyMs: () => 60_000,
    onRenewal: () => undefined,
    onLost: () => undefined,
    onError: (error) => errors.push(error),
  })
  await gone
  await beating.stop()
  expect(errors).toMatchObject([{ message: 'the store is away' }])
})
