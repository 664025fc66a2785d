import { modelReranker, isTransformers, openCrossEncoder } from '@agentm/memory/rerankers'
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
  expect(isTransformers(module)).toBe(true)
  const reranker = await openCrossEncoder(module, { directory: '/home/me/models', model: 'ms-marco' })
  expect(await reranker.rerank('which port?', texts, { signal })).toEqual([3, 16, 6])
  expect(module.env).toEqual({ allowRemoteModels: false, allowLocalModels: true, localModelPath: '/home/me/models' })
  const name = ['ms-marco', { local_files_only: true }]
  expect(module.loaded).toEqual([name, name])
})

it('a cross-encoder that answers something else than numbers is refused', async () => {
  const reranker = await openCrossEncoder(
    transformers(() => [Number.NaN]),
    { directory: '/models', model: 'broken' },
  )
  await expect(reranker.rerank('q', texts, { signal })).rejects.toMatchObject({ code: 'RERANKER_FAILED' })
})

it('a module that is something else is not taken for transformers', () => {
  expect(isTransformers({ env: {}, AutoTokenizer: undefined })).toBe(false)
})
