import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ownDirectory, pathIn } from './open-store.ts'

test('a waiting feed costs at most half a percent of a core', () => {
  const script = fileURLToPath(new URL('processes.mjs', import.meta.url))
  const shares = [1, 2, 3].map((): number => {
    const output = execFileSync(process.execPath, [script, 'idle', pathIn(ownDirectory()), '10'], { encoding: 'utf8' })
    return JSON.parse(output.trim().split('\n').at(-1) ?? '{}').share
  })
  // What else runs on the machine makes each wake-up dearer, never cheaper: here twice the promise.
  expect(Math.min(...shares)).toBeLessThanOrEqual(0.01)
})
