import { createInMemoryStore } from '@agentm/conformance/logs'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { takeCaptureLease } from '../src/capture-lease.ts'

const { work } = createInMemoryStore({ concepts: [] })

describe('the right to capture', () => {
  it('has one holder, however many ask at once, and is free afterwards', async () => {
    for (let round = 0; round < 5; round++) {
      const leases = await Promise.all(Array.from({ length: 8 }, () => takeCaptureLease(work, 'ada')))
      const held = leases.filter((lease) => lease !== undefined)
      expect(held).toHaveLength(1)
      expect(await takeCaptureLease(work, 'ada')).toBeUndefined()
      await held[0]?.release()
      expect(await work.sessions()).toEqual([])
    }
  })

  it('does not wait for another owner, another machine, or a process that is gone', async () => {
    const others = [
      { host: hostname(), pid: `${process.pid}`, owner: 'bob' },
      { host: 'another-machine', pid: `${process.pid}`, owner: 'ada' },
      // No process has this number.
      { host: hostname(), pid: `${2 ** 22 + 1}`, owner: 'ada' },
    ]
    for (const facts of others) await work.openSession({ actor: 'capture', leaseMs: 60_000, facts })
    const lease = await takeCaptureLease(work, 'ada')
    expect(lease).toBeDefined()
    await lease?.release()
  })
})
