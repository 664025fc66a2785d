import { expect, it } from 'vitest'
import { heartbeat, type ProcessName, processOf } from '../src/pure/process-name.ts'

const now = Date.UTC(2026, 10, 19)
/** As a disk keeps a number of seconds: cut to what it stores. */
const kept = (seconds: number, stepNs: bigint) => {
  const nanoseconds = BigInt(Math.floor(seconds)) * 1_000_000_000n + BigInt(Math.floor((seconds % 1) * 1e9))
  return nanoseconds - (nanoseconds % stepNs)
}
const onDisk = ({ accessed, modified }: { accessed: number; modified: number }, stepNs = 1n) => ({
  atimeNs: kept(accessed, stepNs),
  mtimeNs: kept(modified, stepNs),
})
const names: readonly ProcessName[] = [
  { pid: 1, table: 0, start: 0 },
  { pid: 2 ** 22 - 1, table: 2 ** 26 - 1, start: 999 },
  { pid: 12_345, table: 6_789_012, start: 345 },
]

it.each(names)('finds in the times of a lock the process that set them: %o', (name) => {
  for (const stepNs of [1n, 100n, 1000n]) expect(processOf(onDisk(heartbeat(now, name), stepNs))).toEqual(name)
})

it.each(names)('leaves the heartbeat what it is, to the millisecond: %o', (name) => {
  expect(Math.floor(heartbeat(now, name).modified * 1000)).toBe(now)
})

it.each([
  ['of a program that gives no name', onDisk(heartbeat(now, undefined))],
  [
    'after somebody has looked into the directory',
    { ...onDisk(heartbeat(now, names[2])), atimeNs: BigInt(now) * 1_000_000n },
  ],
  ['of a machine without a clock', { atimeNs: 5_000_000_000n, mtimeNs: 5_000_000_000n }],
  ['of a machine that believes it is 1995', onDisk(heartbeat(Date.UTC(1995, 0, 1), undefined))],
  ['of a machine that believes it is 1995, by name', onDisk(heartbeat(Date.UTC(1995, 0, 1), names[2]))],
  ['of the year 2100', onDisk(heartbeat(Date.UTC(2100, 0, 1), undefined))],
])('finds no process in the times %s', (_what, stats) => {
  expect(processOf(stats)).toBeUndefined()
})
