import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const source = pathToFileURL(path.resolve(import.meta.dirname, '../dist/small-heap.js')).href
/** Makes garbage. Some of it lives a little longer, as in a server. */
const work = `
  import { getHeapSpaceStatistics } from 'node:v8'
  let kept = []
  for (let i = 0; i < 4_000_000; i++) {
    kept.push({ i, text: ['a', i] })
    if (kept.length > 200_000) kept = []
  }
  process.stdout.write(String(getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size))`

it('keeps no tens of megabytes for new objects in a process of its own', () => {
  const usual = spaceForNewObjects(work)
  const small = spaceForNewObjects(`import { keepHeapSmall } from ${JSON.stringify(source)}\nkeepHeapSmall()\n${work}`)
  expect(usual).toBeGreaterThan(16_000_000)
  expect(small).toBeLessThan(usual / 2)
})

function spaceForNewObjects(script: string): number {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  return Number(said)
}
