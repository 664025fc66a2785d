import { expect, it } from 'vitest'
import { type Answering, modelHome, modelServer, vectors } from './model-servers.ts'

const good = vectors((text) => [text.length % 7, /port/.test(text) ? 5 : 1, 1])

async function embedded(first: Answering = good) {
  const server = await modelServer(first)
  const home = await modelHome({
    'embedder.provider': 'openai',
    'embedder.url': `${server.url}/v1`,
    'embedder.model': 'nomic-embed-text',
    'embedder.dimensions': 3,
  })
  const memory = await home.open()
  await memory.save({ kind: 'fact', text: 'Staging listens on port 5433.' })
  await memory.save({ kind: 'fact', text: 'The office cat is called Ada.' })
  return { server, home, memory }
}

const broken: readonly (readonly [string, Answering, string])[] = [
  ['down', (_, response) => void response.destroy(), 'cannot be reached'],
  ['refusing with 500', (_, response) => void response.writeHead(500).end('no'), 'answered 500'],
  ['wrong: NaN', vectors(() => [null, 1, 1]), 'finite'],
  ['wrong: too few vectors', (_, response) => void response.end('{"data":[]}'), '0 vectors for 1'],
  ['changed: other dimensions', vectors(() => [1, 2, 3, 4]), '4 dimensions instead of 3'],
  ['slow', () => {}, 'took too long'],
]

it.each(broken)('recall answers by words, in time, and says so, while an embedder is %s', async (_, answer, why) => {
  const { server, memory } = await embedded()
  server.answers(answer)
  const began = performance.now()
  const { results, freshness } = await memory.recall({ text: 'staging port' })
  expect(performance.now() - began).toBeLessThan(4000)
  const before = server.asked.length
  expect(results[0]?.text).toContain('5433')
  expect(freshness.notice).toContain('meaning is left out')
  expect(freshness.notice).toContain(why)
  // The next question does not wait for it.
  const again = await memory.recall({ text: 'staging port' })
  expect(again.freshness.notice).toBe(freshness.notice)
  expect(server.asked).toHaveLength(before)
})

it.each(broken.filter(([what]) => what !== 'slow'))(
  'a note that is saved while an embedder is %s is found, and gets its vector later',
  { timeout: 30_000 },
  async (_, answer) => {
    const { server, memory, home } = await embedded()
    server.answers(answer)
    await memory.save({ kind: 'fact', text: 'Production listens on port 5432.' })
    expect((await memory.recall({ text: 'production port' })).results[0]?.text).toContain('5432')
    expect((await memory.backlog()).waiting).toBe(1)
    server.answers(good)
    const later = await home.open()
    expect(await later.embedPending({ force: true })).toMatchObject({ embedded: 1, waiting: 0 })
    expect((await later.recall({ text: 'production port' })).results[0]).toMatchObject({
      text: expect.stringContaining('5432') as unknown,
      similarity: expect.any(Number) as unknown,
    })
  },
)

it('notes and questions carry the prefixes of the model, or those of the config', async () => {
  const { server, memory, home } = await embedded()
  await memory.recall({ text: 'staging port' })
  const inputs = () => server.asked.flatMap(({ body }) => body['input'] as string[])
  expect(inputs()).toContain('search_query: staging port')
  expect(inputs().filter((text) => text.startsWith('search_document: ')).length).toBeGreaterThan(1)
  server.asked.length = 0
  await home.configure({
    'embedder.provider': 'openai',
    'embedder.url': `${server.url}/v1`,
    'embedder.model': 'nomic-embed-text',
    'embedder.dimensions': 3,
    'embedder.queryPrefix': 'ask: ',
    'embedder.documentPrefix': '',
  })
  const other = await home.open()
  // Their vectors were made with other words, so they do not count.
  expect((await other.recall({ text: 'staging port' })).freshness.pendingVectors).toBe(2)
  await other.embedPending({ force: true })
  expect(inputs()).toEqual(['ask: staging port', expect.stringContaining('5433'), expect.stringContaining('cat')])
})
