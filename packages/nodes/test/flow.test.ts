import { expect, test } from 'vitest'
import { admit, claimRank, type FlowUsage, gateOf, gateRoom, limitsIn } from '../src/store-kit.ts'

const minute = 60_000
const none: FlowUsage = { running: new Map(), starts: new Map() }
const limit = { key: 'deploy', atOnce: 2 }
const rate = { key: 'hub', starts: 2, perMs: minute }

test('a gate names its limits, and nodes without flow control have none', () => {
  expect(gateOf({})).toBeUndefined()
  expect(gateOf({ priority: 0 })).toBeUndefined()
  expect(gateOf({ priority: 3 })).toBe('')
  for (const flow of [{ limit }, { rate }, { limit, rate }]) expect(limitsIn(gateOf(flow) ?? '')).toEqual(flow)
  expect(limitsIn('')).toEqual({})
})

test('one point of priority is worth one minute of waiting', () => {
  expect(claimRank({ priority: 5 }, 10 * minute)).toBe(claimRank({}, 5 * minute))
  expect(claimRank({ priority: -1 }, 0)).toBeGreaterThan(claimRank({}, 0.9 * minute))
})

test.each([
  [gateOf({ limit }), none, 0, { room: 2, opensAt: undefined }],
  [gateOf({ limit }), { ...none, running: new Map([['deploy', 5]]) }, 0, { room: 0, opensAt: undefined }],
  [gateOf({ rate }), { ...none, starts: new Map([['hub', [50, 40, 30]]]) }, 60, { room: 0, opensAt: minute + 40 }],
  [gateOf({ rate }), { ...none, starts: new Map([['hub', [50, 40]]]) }, minute + 39, { room: 0, opensAt: minute + 40 }],
  [gateOf({ rate }), { ...none, starts: new Map([['hub', [50, 40]]]) }, minute + 40, { room: 1, opensAt: undefined }],
  ['', none, 0, { room: Infinity, opensAt: undefined }],
])('the room of %s with %o at %d', (gate = '', usage, now, wanted) => {
  expect(gateRoom(gate, usage, { now })).toEqual(wanted)
})

test('nodes that are admitted together keep the limits together, also those of other gates with the same key', () => {
  const both = gateOf({ limit, rate })
  const nodes = [both, gateOf({ limit }), gateOf({ limit }), undefined, both].map((gate, id) => ({ id, gate }))
  expect(admit(nodes, none, { now: 0, most: 9 }).map(({ id }) => id)).toEqual([0, 1, 3])
  expect(admit(nodes, none, { now: 0, most: 1 }).map(({ id }) => id)).toEqual([0])
  expect(
    admit(nodes, none, { now: 0, most: 9, passed: [gateOf({ limit: { key: 'deploy', atOnce: 9 } }) ?? ''] }),
  ).toHaveLength(2)
})
