import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { knowing, vectorServer, withVectors, writeTopics } from './tune-world.ts'

const tune = (url: string, ...more: string[]) => [
  'recall',
  'tune',
  '--url',
  url,
  '--model',
  'nomic-embed-text',
  ...more,
]

const configOf = async (world: CliWorld) => (await world.agentm(['config', 'list'])).out

it('measures a model on the notes, changes nothing, and says how to use it', { timeout: 120_000 }, async () => {
  const world = await CliWorld.forThisTest()
  await writeTopics(world, 40)
  const { url, asked } = await vectorServer()
  const before = await configOf(world)
  const { out, err, code } = await world.agentm(tune(url, '--questions', '36'))
  expect(err + out).toContain('nomic-embed-text answers: 81 dimensions')
  expect(out).toContain('prefixes "search_query: " and "search_document: "')
  expect(out).toMatch(/36 questions, made from 41 of your notes:/)
  expect(out).toMatch(/words only +[01]\.\d{3}/)
  expect(out).toMatch(/endpoint\/nomic-embed-text\/81\S*, weight [\d.]+ +[01]\.\d{3}/)
  expect(out).toContain('It finds more than words only')
  expect(err).toContain(`recall tune --url ${url} --model nomic-embed-text --use`)
  expect(code).toBe(0)
  expect(await configOf(world)).toBe(before)
  expect(asked.flat().some((text) => text.startsWith('search_document: '))).toBe(true)
})

it(
  'with --use, serves the old vectors until the new ones are whole, pauses and goes on',
  { timeout: 180_000 },
  async () => {
    const world = await CliWorld.forThisTest()
    await writeTopics(world, 60)
    const { url, asked, answers } = await vectorServer()
    const old = ['recall', 'tune', '--url', url, '--model', 'all-minilm']
    await world.agentm([...old, '--questions', '24', '--use'])
    await world.agentm(tune(url, '--questions', '24'))
    const before = await configOf(world)
    // The server stops answering after the first batch of notes.
    let batches = 0
    const made = new Set<string>()
    answers((texts, response) => {
      if (texts.length > 2) batches += 1
      if (batches > 1) return void response.writeHead(401).end('no')
      for (const text of texts) made.add(text)
      return withVectors(knowing)(texts, response)
    })
    const paused = await world.agentm(tune(url, '--use'))
    expect(paused.out).toMatch(/The embedder failed: .*401.*32 of \d+ texts have their vector and keep it/)
    expect(paused.code).toBe(1)
    expect(await configOf(world)).toBe(before)
    // Recall is what it was: every note has a vector of the embedder in use.
    answers(withVectors(knowing))
    const { results, freshness: whole } = await world.json(['recall', 'office cat'])
    expect((results as { readonly similarity?: number }[])[0]?.similarity).toBeGreaterThan(0)
    expect(whole).toMatchObject({ pendingVectors: 0 })
    asked.length = 0
    const done = await world.agentm(tune(url, '--use'))
    expect(done.out).toContain('It is used from now on')
    expect(done.out).toContain('embedder.model = "nomic-embed-text"')
    expect(done.code).toBe(0)
    // What was made before is not asked for again, nor is the measurement repeated.
    const again = asked.flat().filter((text) => made.has(text) && text.startsWith('search_document: '))
    expect(again.filter((text) => !/staging database|garden on Sunday/.test(text))).toEqual([])
    const { freshness } = await world.json(['recall', 'office cat'])
    expect(freshness).toMatchObject({ pendingVectors: 0 })
    expect(await configOf(world)).toMatch(/embedder\.weight = [\d.]+/)
  },
)

it('keeps what is done when it is stopped with Ctrl-C', { timeout: 120_000 }, async () => {
  const world = await CliWorld.forThisTest()
  await writeTopics(world, 75)
  const { url, asked, answers } = await vectorServer()
  await world.agentm(tune(url, '--questions', '24'))
  asked.length = 0
  answers((texts, response) => void setTimeout(() => withVectors(knowing)(texts, response), 400))
  const started = world.start(tune(url, '--use'))
  while (asked.filter(({ length }) => length > 2).length < 2) await sleep(20)
  expect(await started.kill('SIGINT')).toBe(1)
  expect(started.out).toMatch(
    /Paused\. (?:32|64) of \d+ texts have their vector and keep it\. The same command goes on/,
  )
  expect(await configOf(world)).not.toContain('embedder')
})

it.each([
  ['tells no texts apart', withVectors(() => [1, 2, 3]), 'the same vector for different texts'],
  [
    'has no such model',
    (_: unknown, response: { writeHead(status: number): { end(): unknown } }) => void response.writeHead(404).end(),
    'Check the address and the model',
  ],
] as const)('refuses a server that %s', { timeout: 60_000 }, async (_, answer, why) => {
  const world = await CliWorld.forThisTest()
  const { url } = await vectorServer(answer)
  const { err, code } = await world.agentm(tune(url, '--use'))
  expect(err).toContain(why)
  expect(code).toBe(1)
  expect(await configOf(world)).not.toContain('embedder')
})

it('says that few notes cannot measure anything, and keeps the usual weight', { timeout: 60_000 }, async () => {
  const world = await CliWorld.forThisTest()
  await writeTopics(world, 3)
  const { url } = await vectorServer()
  const { out } = await world.agentm(tune(url))
  expect(out).toContain('Your notes are too few to measure it')
  const used = await world.agentm(tune(url, '--use'))
  expect(used.out).toContain('It is used from now on')
  expect(used.out).not.toContain('embedder.weight')
})

it.each([
  [['recall', 'tune', 'the', 'piano'], 'does not take "the"'],
  [['recall', 'tune', '--url', 'http://127.0.0.1:1/v1'], '--url and --model are needed together'],
  [['recall', 'tune'], 'there is no embedder to measure'],
  [['recall', 'tune', '--url', 'localhost', '--model', 'm'], 'Use an address such as'],
])('%j is a wrong use', async (args, message) => {
  const world = await CliWorld.forThisTest()
  const { err, code } = await world.agentm(args)
  expect(err).toContain(message)
  expect(code).toBe(2)
})
