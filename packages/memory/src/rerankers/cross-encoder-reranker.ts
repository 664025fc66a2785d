/**
 * A cross-encoder in ONNX form that runs in this process, through `@huggingface/transformers`, which the user installs. The model is read
 * from a directory; nothing is downloaded.
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
}

type PairTokenizer = (
  texts: readonly string[],
  options: { readonly text_pair: readonly string[]; readonly padding: true; readonly truncation: true },
) => unknown

type PairClassifier = (inputs: unknown) => Promise<{
  readonly logits: { readonly dims: readonly number[]; readonly data: ArrayLike<number> }
}>

/** Whether a module that the user installed can run a cross-encoder. */
export function isTransformers(module: object): module is TransformersLike {
  const parts = ['env', 'AutoTokenizer', 'AutoModelForSequenceClassification']
  return parts.every((name) => ['object', 'function'].includes(typeof Reflect.get(module, name)))
}

/** A cross-encoder from a directory. It is loaded at once, so that the first question need not wait for it. */
export async function openCrossEncoder(
  { env, AutoTokenizer, AutoModelForSequenceClassification }: TransformersLike,
  { directory, model }: { readonly directory: string; readonly model: string },
): Promise<Reranker> {
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.localModelPath = directory
  const tokenizer = await AutoTokenizer.from_pretrained(model, { local_files_only: true })
  const classifier = await AutoModelForSequenceClassification.from_pretrained(model, { local_files_only: true })
  return {
    name: model,
    async rerank(question, texts) {
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
