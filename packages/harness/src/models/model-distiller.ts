/** Distils by a model: its answer is checked, names only what it was shown, and is no belief before memory says so. */
import { beliefKinds, DistillerFailedError, type Distilled, type Distiller, type DistillRequest } from '@agentm/memory'
import { z } from 'zod'
import type { Model, Usage } from '../inner-loop/model.ts'
import { askStructured } from './ask-structured.ts'
import { consolidateMemoryName, consolidateMemoryPrompt } from './pure/consolidate-prompt.ts'

export interface ModelDistillerOptions {
  /** Asked of it at least; 1 where absent. */
  readonly leastEpisodes?: number
  readonly maxOutputTokens?: number
  readonly onUsage?: (usage: Usage) => void
}

// One object and no union: some endpoints take no other schema.
const answerSchema = z.object({
  distilled: z.boolean(),
  why: z.string().nullish(),
  kind: z.enum(beliefKinds).nullish(),
  content: z.string().trim().max(500).nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  from: z.array(z.number().int()).nullish(),
  contradicts: z.number().int().nullish(),
})

const wholeSchema = answerSchema.refine(
  ({ distilled, kind, content, confidence }) =>
    !distilled || (kind != null && content != null && content !== '' && confidence != null),
  'a distilled belief has kind, content and confidence',
)

export function modelDistiller(model: Model, options: ModelDistillerOptions = {}): Distiller {
  const { leastEpisodes = 1, maxOutputTokens = 600, onUsage } = options
  return {
    name: consolidateMemoryName,
    leastEpisodes,
    async distill(request) {
      const answer = await askStructured(model, {
        messages: consolidateMemoryPrompt(request),
        schema: wholeSchema,
        name: 'belief',
        maxOutputTokens,
        signal: request.signal,
        onUsage(usage) {
          onUsage?.(usage)
          request.onUsage?.(usage)
        },
      })
      if (!answer.ok) throw new DistillerFailedError(consolidateMemoryName, `its answer was refused: ${answer.problem}`)
      return distilledBy(answer.value, request)
    },
  }
}

function distilledBy(answer: z.infer<typeof answerSchema>, request: DistillRequest): Distilled {
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
