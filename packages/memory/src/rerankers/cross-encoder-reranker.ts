/**
 * A cross-encoder in ONNX form that runs in this process, through `@huggingface/transformers`, which the user installs. The model is read
 * from a directory; nothing is downloaded. Both are loaded with the first question, because most commands ask none.
 */
import { RerankerFailedError } from '../memory-errors.ts'
import { scoresAt } from './pure/scores-at.ts'
import type { Reranker } from './reranker.ts'

/** The part of `@huggingface/transformers` that is used. */
export interface TransformersLike {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string }
  readonly AutoTokenizer: { from_pretrained(name: string, options: LocalOnly): Promise<PairTokenizer> }
  readonly AutoModelForSequenceClassification: {
    from_pretrained(name: string, options: LocalOnly): Promise<PairClassifier>
  }
}

interface LocalOnly {
  readonly local_files_only: true
  /** `q8` reads `model_quantized.onnx`. */
  readonly dtype?: 'fp32' | 'q8'
}

type PairTokenizer = (
  texts: readonly string[],
  options: { readonly text_pair: readonly string[]; readonly padding: true; readonly truncation: true },
) => unknown

type PairClassifier = (inputs: unknown) => Promise<{
  readonly logits: { readonly dims: readonly number[]; readonly data: ArrayLike<number> }
}>

/** Options of `crossEncoder`. */
export interface CrossEncoderOptions {
  /** Imports `@huggingface/transformers`. */
  readonly load: () => Promise<object | undefined>
  /** The directory of the model is `directory/model`. */
  readonly directory: string
  readonly model: string
}

/** A cross-encoder from a directory. What could not be loaded is tried again with the next question. */
export function crossEncoder(options: CrossEncoderOptions): Reranker {
  const { model } = options
  let loading: ReturnType<typeof loaded> | undefined
  return {
    name: model,
    async rerank(question, texts) {
      loading ??= loaded(options)
      const { tokenizer, classifier } = await loading.catch((error: unknown) => {
        loading = undefined
        throw error
      })
      const inputs = tokenizer(
        texts.map(() => question),
        { text_pair: texts, padding: true, truncation: true },
      )
      const { logits } = await classifier(inputs)
      const classes = logits.dims.at(-1) ?? 1
      if (logits.data.length !== texts.length * classes)
        throw new RerankerFailedError(model, `it answered ${logits.data.length} figures for ${texts.length} texts.`)
      // With two classes, the second one says that the text answers.
      const found = texts.map((_, index) => ({ index, score: Number(logits.data[(index + 1) * classes - 1]) }))
      const scores = scoresAt(found, texts.length)
      if ('wrong' in scores) throw new RerankerFailedError(model, scores.wrong)
      return scores
    },
  }
}

async function loaded({ load, directory, model }: CrossEncoderOptions) {
  const module = await load()
  if (module === undefined || !isTransformers(module))
    throw new RerankerFailedError(model, 'its package does not export what @huggingface/transformers exports.')
  const { env, AutoTokenizer, AutoModelForSequenceClassification: classifiers } = module
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.localModelPath = directory
  try {
    const tokenizer = await AutoTokenizer.from_pretrained(model, { local_files_only: true })
    const classifier = await classifiers
      .from_pretrained(model, { local_files_only: true, dtype: 'fp32' })
      .catch(async () => classifiers.from_pretrained(model, { local_files_only: true, dtype: 'q8' }))
    return { tokenizer, classifier }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new RerankerFailedError(model, `it cannot be read from ${directory}: ${why}`, { cause: error })
  }
}

function isTransformers(module: object): module is TransformersLike {
  const parts = ['env', 'AutoTokenizer', 'AutoModelForSequenceClassification']
  return parts.every((name) => ['object', 'function'].includes(typeof Reflect.get(module, name)))
}
