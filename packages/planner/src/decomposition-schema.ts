/** The schema of the model's answer to `decomposeGoal`. It also checks the graph, so that the model learns of a dependency cycle. */
import { z } from 'zod'
import { decompositionProblem, mostSteps, tidySteps } from './pure/decomposition.ts'

export const decompositionSchema = z
  .object({
    steps: z
      .array(
        z.object({
          key: z.string(),
          title: z.string(),
          goal: z
            .string()
            .nullish()
            .transform((goal) => goal ?? ''),
          dependsOn: z
            .array(z.string())
            .nullish()
            .transform((keys) => keys ?? []),
          roleHint: z
            .string()
            .nullish()
            .transform((hint) => hint ?? ''),
        }),
      )
      .describe(`1 to ${mostSteps} steps`),
  })
  .superRefine(({ steps }, context) => {
    const problem = decompositionProblem(steps)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, path: ['steps'] })
  })
  .transform(({ steps }) => tidySteps(steps))
