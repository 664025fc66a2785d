/** Opening the table beside reading its bytes, and a sentence beside the least a word mean could cost. */
import { readFile } from 'node:fs/promises'
import { openStaticEmbedder } from '@agentm/embedder-static'
import { bench, describe } from 'vitest'

const table = new URL('../table/glove-6b-50k.table', import.meta.url)
const sentence = 'We decided to keep the lock file outside the vault because replication would copy it to other devices'
const embedder = await openStaticEmbedder()

describe('open', () => {
  bench('floor: read the file', async () => {
    await readFile(table)
  })
  bench('openStaticEmbedder', async () => {
    await openStaticEmbedder()
  })
})

describe('one sentence of 18 words', () => {
  const words = new Map(sentence.split(' ').map((word, i) => [word, new Float32Array(256).fill(i)]))
  bench('floor: split, look up, add 256 numbers', () => {
    const sum = new Float32Array(256)
    for (const word of sentence.split(' ')) addTo(sum, words.get(word))
  })
  bench('embed', async () => {
    await embedder.embed([sentence])
  })
})

function addTo(sum: Float32Array, vector: Float32Array = sum): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
}
