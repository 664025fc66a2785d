import { openMemory } from '@agentm/memory'
import { cachedEmbedder, prefixedEmbedder, prefixesOf } from '@agentm/memory/embedders'
import { expect, it } from 'vitest'
import { setup } from '../world.ts'
import { mapCache } from './map-cache.ts'

it.each([
  ['nomic-embed-text', 'search_query: ', 'search_document: '],
  ['nomic-embed-text:v1.5', 'search_query: ', 'search_document: '],
  ['nomic-ai/nomic-embed-text-v2-moe', 'search_query: ', 'search_document: '],
  ['intfloat/multilingual-e5-base', 'query: ', 'passage: '],
  ['e5-small-v2', 'query: ', 'passage: '],
  ['BAAI/bge-large-en-v1.5', 'Represent this sentence for searching relevant passages: ', ''],
  ['bge-base-zh-v1.5', '为这个句子生成表示以用于检索相关文章：', ''],
  ['mxbai-embed-large', 'Represent this sentence for searching relevant passages: ', ''],
  ['snowflake-arctic-embed:22m', 'Represent this sentence for searching relevant passages: ', ''],
  ['snowflake-arctic-embed2', 'query: ', ''],
  ['Snowflake/snowflake-arctic-embed-l-v2.0', 'query: ', ''],
  ['embeddinggemma:300m', 'task: search result | query: ', 'title: none | text: '],
  ['bge-m3', '', ''],
  ['all-minilm', '', ''],
  ['text-embedding-3-small', '', ''],
  ['jina-embeddings-v2-base-code', '', ''],
])('%s is asked as its own page says', (model, question, document) => {
  expect(prefixesOf(model)).toEqual({ question, document })
})

it.each(['intfloat/multilingual-e5-large-instruct', 'intfloat/e5-mistral-7b-instruct', 'Qwen/Qwen3-Embedding-0.6B'])(
  '%s gets its task before a question, and nothing before a document',
  (model) => {
    const { question, document } = prefixesOf(model)
    expect(question).toMatch(/^Instruct: .*\nQuery: $/)
    expect(document).toBe('')
  },
)

/** What it is asked, in order. */
function recording() {
  const asked: string[] = []
  const embed = async (texts: readonly string[]) => texts.map((text) => (asked.push(text), [1, text.length, 0.5]))
  return { asked, embedder: { name: 'recorded', dimensions: 3, embed } }
}

it('notes and questions reach the model with prefixes of their own, and a question is not stored', async () => {
  const { asked, embedder } = recording()
  const { cache, kept } = mapCache()
  const prefixed = prefixedEmbedder(embedder, { question: 'query: ', document: 'passage: ' })
  const { options } = await setup({ embedder: cachedEmbedder(prefixed, cache) })
  const memory = openMemory(options)
  await memory.save({ kind: 'fact', text: 'Staging listens on port 5433.' })
  const before = kept.size
  await memory.recall({ text: 'which port?' })
  await memory.recall({ text: 'which port?' })
  expect(asked.filter((text) => text.startsWith('query: '))).toEqual(['query: which port?', 'query: which port?'])
  expect(asked.filter((text) => text.startsWith('passage: ')).length).toBeGreaterThan(0)
  expect(asked.every((text) => /^(?:query|passage): /.test(text))).toBe(true)
  expect(kept.size).toBe(before)
})

it('vectors of other prefixes are never compared: they belong to another embedder', async () => {
  const { embedder } = recording()
  const names = [
    { question: '', document: '' },
    { question: 'query: ', document: '' },
    { question: 'query: ', document: 'passage: ' },
  ].map((prefixes) => prefixedEmbedder(embedder, prefixes).name)
  expect(new Set(names).size).toBe(3)
  expect(names[0]).toBe('recorded')
  const { options, memory } = await setup({ embedder })
  await memory.save({ kind: 'fact', text: 'Staging listens on port 5433.' })
  const other = openMemory({ ...options, embedder: { ...embedder, name: names[2] ?? '' } })
  const { results, freshness } = await other.recall({ text: 'staging port' })
  expect([results[0]?.similarity, freshness.pendingVectors]).toEqual([undefined, 1])
})
