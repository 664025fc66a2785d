/** The command as a person runs it, while a model server works, is slow, answers nonsense or is down. */
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { vectorServer, withVectors, type VectorAnswer } from './tune-world.ts'

const question = 'which port does the database use?'

async function saved(settings: Readonly<Record<string, string>>): Promise<CliWorld> {
  const world = await CliWorld.forThisTest()
  for (const name of ['first', 'wanted', 'last'])
    await world.agentm(['save', `The database uses the port of the ${name} one.`, '--personal'])
  for (const [key, value] of Object.entries(settings)) await world.agentm(['config', 'set', key, value])
  return world
}

const recalled = async (world: CliWorld) => {
  const { out, err, code } = await world.agentm(['recall', question])
  const titles = Array.from(out.matchAll(/^ *\d+\. (.+?)  /gm), ([, title = '']) => title)
  return { titles, err, code }
}

const all = ['first', 'wanted', 'last'].map((name) => `The database uses the port of the ${name} one.`)

/** `/rerank` as llama.cpp and Jina answer it. */
const reranking = (scoreOf: (text: string, index: number) => number | null): VectorAnswer => {
  return (texts, response) =>
    response.end(
      JSON.stringify({ results: texts.map((text, index) => ({ index, relevance_score: scoreOf(text, index) })) }),
    )
}

it('a reranker decides which result is first', { timeout: 60_000 }, async () => {
  const { url } = await vectorServer(reranking((text) => Number(text.includes('wanted'))))
  const world = await saved({ 'reranker.provider': 'http', 'reranker.url': url })
  const { titles, err, code } = await recalled(world)
  expect(titles[0]).toContain('the wanted one')
  expect(titles.toSorted()).toEqual(all.toSorted())
  expect([err, code]).toEqual(['', 0])
})

it.each<[string, VectorAnswer, string]>([
  ['slow', () => {}, 'did not answer within 300 ms'],
  ['wrong', reranking(() => null), 'not a finite number'],
  ['down', (_, response) => void response.writeHead(503).end(), 'it answered 503'],
])('a reranker that is %s costs no result, and the answer says so', { timeout: 60_000 }, async (_, answer, why) => {
  const { url } = await vectorServer(answer)
  const world = await saved({ 'reranker.provider': 'http', 'reranker.url': url, 'reranker.deadlineMs': '300' })
  const { titles, err, code } = await recalled(world)
  expect(titles.toSorted()).toEqual(all.toSorted())
  expect(err).toContain("the results are in recall's own order")
  expect(err).toContain(why)
  expect(code).toBe(0)
})

it.each<[string, VectorAnswer, string]>([
  ['slow', () => {}, 'took too long'],
  ['wrong', withVectors(() => [null, 1, 1]), 'finite'],
  ['down', (_, response) => void response.destroy(), 'cannot be reached'],
  ['changed', withVectors(() => [1, 2, 3, 4]), '4 dimensions instead of 3'],
])('an embedder that is %s costs no result, and the answer says so', { timeout: 60_000 }, async (_, answer, why) => {
  const { url, answers } = await vectorServer(withVectors((text) => [text.length, 1, 2]))
  const settings = { url, provider: 'openai', model: 'm', dimensions: '3' }
  const world = await saved(
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [`embedder.${key}`, value])),
  )
  await world.agentm(['reindex'])
  answers(answer)
  const { titles, err, code } = await recalled(world)
  expect(titles.toSorted()).toEqual(all.toSorted())
  expect(err).toContain('meaning is left out')
  expect(err).toContain(why)
  expect(code).toBe(0)
})
