import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { lowestAt, qualityAt } from '../eval/thresholds/separate.mjs'
import { root } from '../run.mjs'

const score = (same: boolean, ...scores: readonly number[]) => scores.map((each) => ({ score: each, same }))

describe('a threshold', () => {
  const pairs = [...score(true, 0.9, 0.8, 0.7), ...score(false, 0.75, 0.2)]

  it('is the lowest from which on every set is as precise as wanted', () => {
    expect(lowestAt([pairs], 1)).toBe(0.76)
    expect(lowestAt([pairs], 0.6)).toBe(0.05)
    expect(lowestAt([pairs, score(false, 0.85)], 1)).toBe(0.86)
  })

  it('has the precision of what it takes and the recall of what it should', () => {
    expect(qualityAt(pairs, 0.76)).toEqual({ precision: 1, recall: 2 / 3, pairs: 5 })
    expect(qualityAt(pairs, 0.95).precision).toBeNaN()
  })
})

describe('npm run eval -- thresholds', () => {
  it('measures the thresholds that are in use', async () => {
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [path.join(root, 'tools', 'eval', 'thresholds.mjs')])
    expect(stdout).toContain('| static-1/glove-6b-50k.1/256 | route | 95.0 % | 0.62 |')
    await expect(
      run(process.execPath, [path.join(root, 'tools', 'eval', 'thresholds.mjs'), '--pairs', '30']),
    ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('was measured as') })
  })
})
