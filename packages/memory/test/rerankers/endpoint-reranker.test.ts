import { endpointReranker } from '@agentm/memory/rerankers'
import { expect, it } from 'vitest'
import { loopbackServer, type LoopbackAnswer } from '../loopback-server.ts'

const signal = new AbortController().signal
const texts = ['tea', 'the port is 5433', 'coffee']

/** Higher the longer a text is. */
const scored = (given: unknown) => (given as string[]).map((text, index) => ({ index, value: text.length / 100 }))

it.each<[string, LoopbackAnswer]>([
  [
    'Jina, Cohere and vLLM',
    ({ body }, response) =>
      response.end(
        JSON.stringify({
          results: scored(body['documents'])
            .toSorted((a, b) => b.value - a.value)
            .map(({ index, value }) => ({ index, relevance_score: value, document: { text: 'x' } })),
        }),
      ),
  ],
  [
    'Voyage',
    ({ body }, response) =>
      response.end(
        JSON.stringify({
          data: scored(body['documents']).map(({ index, value }) => ({ index, relevance_score: value })),
        }),
      ),
  ],
  [
    'TEI, which wants other names and refuses the first request',
    ({ body }, response) => {
      if (body['texts'] === undefined) return response.writeHead(422).end('missing field `texts`')
      return response.end(JSON.stringify(scored(body['texts']).map(({ index, value }) => ({ index, score: value }))))
    },
  ],
])('gives each text its score, as %s answer', async (_, answer) => {
  const { url, requests } = await loopbackServer(answer)
  const reranker = endpointReranker({ url: `${url}/v1/`, model: 'm', apiKey: 'k' })
  for (let i = 0; i < 2; i++)
    expect(await reranker.rerank('which port?', texts, { signal })).toEqual([0.03, 0.16, 0.06])
  expect(requests[0]).toMatchObject({
    url: '/v1/rerank',
    headers: { authorization: 'Bearer k' },
    body: { model: 'm', query: 'which port?', documents: texts },
  })
  // What the server wants is asked once.
  expect(requests.length).toBeLessThanOrEqual(3)
})

const results = (found: readonly object[]) => (_: unknown, response: { end(text: string): unknown }) =>
  void response.end(JSON.stringify({ results: found }))

it.each<[string, LoopbackAnswer, string]>([
  ['fewer scores than texts', results([{ index: 0, relevance_score: 1 }]), '1 scores for 3 texts'],
  [
    'a text that it was not given',
    results([0, 1, 3].map((index) => ({ index, relevance_score: 1 }))),
    'scored text 3, but was given 3',
  ],
  ['a text twice', results([0, 1, 1].map((index) => ({ index, relevance_score: 1 }))), 'a text twice'],
  [
    'NaN as null',
    results([0, 1, 2].map((index) => ({ index, relevance_score: null }))),
    'a score that is not a finite number',
  ],
  ['no scores', results([0, 1, 2].map((index) => ({ index }))), 'a score that is not a finite number'],
  ['a page of HTML', (_, response) => void response.end('<html>'), 'not an answer of a /rerank endpoint'],
  ['500', (_, response) => void response.writeHead(500).end('no'), 'it answered 500'],
  ['401', (_, response) => void response.writeHead(401).end('no'), 'Check the key'],
  ['404', (_, response) => void response.writeHead(404).end('no'), 'Check the address'],
  ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end(), 'reached'],
  ['a closed connection', (_, response) => void response.destroy(), 'reached'],
])('refuses %s by name, without the key', async (_, answer, why) => {
  const { url } = await loopbackServer(answer)
  const asked = endpointReranker({ url, model: 'm', apiKey: 'sk-secret' }).rerank('q', texts, { signal })
  const error = (await asked.catch((thrown: unknown) => thrown)) as Error
  expect(error).toMatchObject({ code: 'RERANKER_FAILED', message: expect.stringContaining(why) as unknown })
  expect(error.message).not.toContain('sk-secret')
})
