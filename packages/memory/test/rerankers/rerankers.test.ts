import { crossEncoder, modelReranker } from '@agentm/memory/rerankers'
import { expect, it } from 'vitest'

const signal = new AbortController().signal
const texts = ['tea', 'the port is 5433', 'coffee']

function model(reply: string) {
  const asked: { readonly prompt: unknown }[] = []
  return {
    asked,
    reranker: modelReranker({
      provider: 'test',
      modelId: 'm',
      async doGenerate(options) {
        asked.push(options)
        return { content: [{ type: 'reasoning' }, { type: 'text', text: reply }] }
      },
    }),
  }
}

it('a language model orders numbered texts; those it leaves out come last in their order', async () => {
  const { asked, reranker } = model('Here it is:\n```json\n{"order": [2]}\n```')
  expect(await reranker.rerank('which port?', texts, { signal })).toEqual([0, 3, 0])
  expect(JSON.stringify(asked[0]?.prompt)).toContain('[2] the port is 5433')
})

it.each([
  ['prose', 'The second text answers.', 'did not answer with the order'],
  ['a text that is not there', '{"order": [4]}', 'not among the 3'],
  ['a text twice', '{"order": [1, 1]}', 'named a text twice'],
  ['nothing', '{"order": []}', 'did not put any text'],
  ['fractions', '{"order": [1.5]}', 'did not answer with the order'],
])('a language model that answers %s is refused', async (_, reply, why) => {
  await expect(model(reply).reranker.rerank('q', texts, { signal })).rejects.toMatchObject({
    code: 'RERANKER_FAILED',
    message: expect.stringContaining(why) as unknown,
  })
})

const tokenizer = (_: readonly string[], { text_pair }: { readonly text_pair: readonly string[] }) => text_pair

/** A module with the exports of `@huggingface/transformers` that are used. */
function transformers(logitsOf: (text: string) => readonly number[]) {
  const loaded: unknown[] = []
  const load = <T>(made: T) => ({
    async from_pretrained(name: string, options: object): Promise<T> {
      loaded.push([name, options])
      return made
    },
  })
  const classifier = async (inputs: unknown) => {
    const rows = (inputs as readonly string[]).map(logitsOf)
    return { logits: { dims: [rows.length, rows[0]?.length ?? 1], data: Float32Array.from(rows.flat()) } }
  }
  const env = { allowRemoteModels: true, allowLocalModels: false, localModelPath: '/models/' }
  return {
    loaded,
    env,
    AutoTokenizer: load(tokenizer),
    AutoModelForSequenceClassification: load(classifier),
  }
}

it.each([
  ['one figure per text', (text: string) => [text.length]],
  ['two classes per text', (text: string) => [-text.length, text.length]],
])('a cross-encoder with %s scores question and text together, from a local directory only', async (_, logitsOf) => {
  const module = transformers(logitsOf)
  const reranker = crossEncoder({ load: async () => module, directory: '/home/me/models', model: 'ms-marco' })
  expect(module.loaded).toEqual([])
  for (let i = 0; i < 2; i++) expect(await reranker.rerank('which port?', texts, { signal })).toEqual([3, 16, 6])
  expect(module.env).toEqual({ allowRemoteModels: false, allowLocalModels: true, localModelPath: '/home/me/models' })
  expect(module.loaded).toEqual([
    ['ms-marco', { local_files_only: true }],
    ['ms-marco', { local_files_only: true, dtype: 'fp32' }],
  ])
})

it('a directory that has only the quantized model is enough', async () => {
  const module = transformers((text) => [text.length])
  const { AutoModelForSequenceClassification: whole } = module
  const from_pretrained: typeof whole.from_pretrained = async (name, options) => {
    if ('dtype' in options && options.dtype === 'fp32') throw new Error('onnx/model.onnx was not found locally')
    return whole.from_pretrained(name, options)
  }
  const load = async () => ({ ...module, AutoModelForSequenceClassification: { from_pretrained } })
  const reranker = crossEncoder({ load, directory: '/models', model: 'small' })
  expect(await reranker.rerank('which port?', texts, { signal })).toEqual([3, 16, 6])
})

const absent = { from_pretrained: async () => Promise.reject(new Error('file was not found locally')) }

it.each<[string, () => Promise<object | undefined>, string]>([
  [
    'answers something else than numbers',
    async () => transformers(() => [Number.NaN]),
    'a score that is not a finite number',
  ],
  [
    'is not in its directory',
    async () => ({ ...transformers(() => [1]), AutoModelForSequenceClassification: absent }),
    'cannot be read from /models: file was not found locally',
  ],
  ['comes with another package', async () => ({ env: {} }), 'does not export what @huggingface/transformers exports'],
  ['comes with no package', async () => undefined, 'does not export what @huggingface/transformers exports'],
])('a cross-encoder that %s is refused', async (_, load, why) => {
  const reranker = crossEncoder({ load, directory: '/models', model: 'broken' })
  const refused = { code: 'RERANKER_FAILED', message: expect.stringContaining(why) as unknown }
  await expect(reranker.rerank('q', texts, { signal })).rejects.toMatchObject(refused)
})
