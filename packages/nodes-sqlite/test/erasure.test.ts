import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ada, observation, openStore } from './open-store.ts'

const secret = 'xyzzyplugh'

test('redaction leaves the text in no file of the store, and before it the text was there', async () => {
  const { log, directory } = await openStore()
  const others = Array.from({ length: 300 }, (_, i) => observation(`n${i}`, `ordinary text ${i}`))
  await log.append(
    [...others.slice(0, 150), observation('s', `the word is ${secret}`, [1, 0.5]), ...others.slice(150)],
    ada,
  )
  await log.append([observation('s', `the word was ${secret} all along`)], ada)
  expect(holders(directory, secret)).not.toEqual([])
  await log.redact('v1:sample:observation:s', ada)
  expect(holders(directory, secret)).toEqual([])
  expect((await log.check()).problems).toEqual([])
})

test('packed vectors of a redacted node are gone, and recall still finds the others', async () => {
  const { log, recall, directory } = await openStore()
  const values = Array.from({ length: 16 }, (_, i) => Math.sin(i + 1))
  const drafts = Array.from({ length: 4200 }, (_, i) =>
    observation(
      `n${i}`,
      'lamp',
      values.map((x, d) => x + Math.cos(i * d)),
    ),
  )
  await log.append(drafts, ada)
  await log.append([observation('last', 'lamp', values)], ada)
  await expect.poll(async () => (await log.size()).bytes > 0 && packedRows(directory)).toBe(true)
  await log.redact('v1:sample:observation:last', ada)
  const { hits } = await recall.recall({ owner: 'ada', text: 'lamp', vector: { embedder: 'test', values }, k: 3 })
  expect(hits.map(({ id }) => id)).not.toContain('v1:sample:observation:last')
  expect(hits).toHaveLength(3)
})

function holders(directory: string, text: string): readonly string[] {
  return readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(text))
}

/** The header of a packed segment is readable in the file. */
function packedRows(directory: string): boolean {
  return holders(directory, '"largestError":').length > 0
}
