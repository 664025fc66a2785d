import { defineConcept } from '@agentm/nodes'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openStore } from './open-store.ts'

const nap = defineConcept({
  name: 'v1:test:nap',
  schema: z.object({ wakeAt: z.number() }),
  timer: ({ wakeAt }) => wakeAt,
})
const napUntil = (wakeAt: number) => ({ concept: nap.name, payload: { wakeAt }, mutation: 'sleep' })

const tomorrow = Date.now() + 86_400_000

test('the timers of one owner cost another owner nothing', async () => {
  const { log, work } = await openStore(undefined, { concepts: [nap] })
  const naps = Array.from({ length: 50_000 }, (_, i) => napUntil(tomorrow + i))
  await log.append(naps, { owner: 'ada', actor: 'test' })
  await log.append([napUntil(tomorrow * 2)], { owner: 'bob', actor: 'test' })
  // The fastest of several, because other programs may hold up each of them.
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    const began = performance.now()
    expect(await work.nextDue({ owners: ['bob'] })).toBe(tomorrow * 2)
    times.push(performance.now() - began)
  }
  // Passing over 50,000 timers takes five times as long.
  expect(Math.min(...times)).toBeLessThan(0.5)
  expect(await work.nextDue({ owners: ['bob', 'ada', 'ada'] })).toBe(tomorrow)
})

test('what is due of several owners comes in the order of its times, and at most as many as asked for', async () => {
  const { log, work } = await openStore(undefined, { concepts: [nap] })
  await log.append([1, 3, 5].map(napUntil), { owner: 'ada', actor: 'test' })
  await log.append([2, 4, 6].map(napUntil), { owner: 'bob', actor: 'test' })
  const due = await work.due({ owners: ['bob', 'ada', 'bob'], limit: 4 })
  expect(due.map(({ wakeAt }) => wakeAt)).toEqual([1, 2, 3, 4])
})
