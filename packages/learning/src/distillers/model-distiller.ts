/**
 * Distils with a model. Its answer is checked, can name only episodes it was shown, and becomes a belief only if consolidation
 * accepts it.
 */
import { z } from 'zod'
import { DistillerFailedError } from '../learning-errors.ts'
import type { AskModel } from './ask-model.ts'
import { beliefKinds, type Distilled, type Distiller, type DistillRequest } from './distiller.ts'
import { consolidateMemoryName, consolidateMemoryPrompt } from './pure/consolidate-prompt.ts'
import type { DistillUsage } from './pure/spent.ts'

export interface ModelDistillerOptions {
  /** The fewest witnesses that the model is asked about (default: 1). */
  readonly leastEpisodes?: number
  /** The limit for the answer about one cluster (default: 600), and for each further cluster in the same question (default: 200). */
  readonly maxOutputTokens?: number
  readonly onUsage?: (usage: DistillUsage) => void
}

// A single object without unions, because some endpoints accept no other schema.
const answerSchema = z.object({
  number: z.number().int(),
  distilled: z.boolean(),
  why: z.string().nullish(),
  kind: z.enum(beliefKinds).nullish(),
  content: z.string().trim().max(500).nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  from: z.array(z.number().int()).nullish(),
  contradicts: z.number().int().nullish(),
})

type Answer = z.infer<typeof answerSchema>

const wholeSchema = z.object({
  answers: z.array(
    answerSchema.refine(
      ({ distilled, kind, content, confidence }) =>
        !distilled || (kind != null && content != null && content !== '' && confidence != null),
      'a distilled belief has kind, content and confidence',
    ),
  ),
})

const furtherTokens = 200

/**
 * A distiller that asks a model. Its answer is checked before it becomes a belief.
 *
 * @example
 * ```ts
 * import { modelDistiller } from '@agentm/learning'
 *
 * // A model that never finds anything worth keeping: its answers do not fit the schema.
 * const distiller = modelDistiller(async () => ({ ok: false, problem: 'no answer' }), { leastEpisodes: 2 })
 * ```
 */
export function modelDistiller(ask: AskModel, options: ModelDistillerOptions = {}): Distiller {
  const { leastEpisodes = 1, maxOutputTokens = 600, onUsage } = options
  const distillAll = async (requests: readonly DistillRequest[]): Promise<readonly (Distilled | Error)[]> => {
    const [first] = requests
    if (first === undefined) return []
    const answer = await ask({
      messages: consolidateMemoryPrompt(requests),
      schema: wholeSchema,
      name: 'beliefs',
      maxOutputTokens: maxOutputTokens + furtherTokens * (requests.length - 1),
      signal: first.signal,
      onUsage(usage) {
        onUsage?.(usage)
        first.onUsage?.(usage)
      },
    })
    if (!answer.ok) throw new DistillerFailedError(consolidateMemoryName, `its answer was refused: ${answer.problem}`)
    const { answers } = answer.value
    return requests.map((request, i) =>
      distilledBy(
        answers.filter(({ number }) => number === i + 1),
        request,
      ),
    )
  }
  return {
    name: consolidateMemoryName,
    leastEpisodes,
    distillAll,
    async distill(request) {
      const [distilled] = await distillAll([request])
      if (distilled === undefined || distilled instanceof Error) throw distilled ?? unanswered()
      return distilled
    },
  }
}

function unanswered(): DistillerFailedError {
  return new DistillerFailedError(consolidateMemoryName, 'its answer leaves this cluster out, or answers it twice')
}

function distilledBy([answer, ...others]: readonly Answer[], request: DistillRequest): Distilled | Error {
  if (answer === undefined || others.length > 0) return unanswered()
  const { distilled, why, kind, content, confidence, contradicts } = answer
  if (!distilled || kind == null || content == null || confidence == null)
    return { distilled: false, why: why?.trim() || 'the model found nothing worth keeping' }
  const from = (answer.from ?? []).flatMap((number) => request.episodes[number - 1]?.id ?? [])
  const over = typeof contradicts === 'number' ? request.existingHints[contradicts - 1]?.id : undefined
  return {
    distilled: true,
    kind,
    content,
    confidence,
    ...(from.length > 0 && { from }),
    ...(over !== undefined && { contradicts: over }),
  }
}
