/** A step that asks a person and succeeds or fails by the answer. It does nothing else, and takes no slot while it waits. */
import { z } from 'zod'
import type { Question } from '@agentm/agent-loop'
import type { StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import { timeAfter } from '../pure/time-after.ts'
import { parseInput } from './parse-input.ts'

export const approvalInput = z
  .object({
    text: z.string().min(1).optional().describe("The question (default: the step's title)."),
    allowed: z.array(z.string().min(1)).min(1).default(['approve', 'deny']).describe('The answers that count.'),
    declines: z
      .array(z.string().min(1))
      .default(['deny'])
      .describe('Answers that make the step fail. Steps that depend on it are then not run.'),
    deadlineMs: z
      .number()
      .min(1)
      .optional()
      .describe('How long to wait for an answer, in milliseconds, counted from the first time the question was asked.'),
    default: z.string().optional().describe('The answer if nobody answers in time. Without it, the step then fails.'),
  })
  .refine((input) => input.default === undefined || input.allowed.includes(input.default), {
    path: ['default'],
    message: 'is not among the allowed answers',
  })

type ApprovalInput = z.infer<typeof approvalInput>

/**
 * Steps of kind `approval`: they ask a person and succeed or fail by the answer. A waiting step takes no slot of a worker.
 *
 * @example
 * ```ts
 * import { approvalKind } from '@agentm/harness'
 *
 * console.log(approvalKind().name) // approval
 * ```
 */
export function approvalKind(): StepKind {
  return {
    name: 'approval',
    natureOf: () => 'pure',
    async run(run) {
      const parsed = parseInput(approvalInput, run.step.input)
      return 'refused' in parsed ? parsed.refused : ask(run, parsed.input)
    },
  }
}

function ask({ step, runtime }: StepRun, input: ApprovalInput): StepOutcome {
  // The id names the attempt, because whoever retries a declined step wants to be asked again.
  const id = `approval-${step.attempt}`
  const answer = step.answers?.[id]
  if (answer === undefined) return { end: 'asks', question: questionOf(id, step.title, input, runtime.now()) }
  const { value, actor } = answer
  if (!input.declines.includes(value)) return { end: 'done', result: { answer: value, actor } }
  return { end: 'failed', failure: { message: `${actor} answered ${value}`, code: 'DECLINED', retryable: false } }
}

function questionOf(id: string, title: string, input: ApprovalInput, now: number): Question {
  return {
    id,
    text: input.text ?? title,
    allowed: [...input.allowed],
    ...(input.deadlineMs !== undefined && { deadline: timeAfter(now, input.deadlineMs) }),
    ...(input.default !== undefined && { default: input.default }),
  }
}
