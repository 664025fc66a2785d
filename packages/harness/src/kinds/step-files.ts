/** The pictures and documents that a step of an agent was given as `files` of its input. */
import type { Message } from '@agentm/agent-loop'
import { mediaLine, type MediaPart, mediaPartSchema, type MediaPolicy, notAccepted } from '@agentm/agent-loop/internal'
import { z } from 'zod'
import type { StepOutcome, StepRun } from '../step-kind.ts'
import type { Step } from '../step.ts'

const given = z.object({ files: z.array(mediaPartSchema) })

/** None if `files` is something else: an input may have a field of that name for the agent to read. */
export function filesOf(input: Step['input']): readonly MediaPart[] {
  return given.safeParse(input).data?.files ?? []
}

/** The rest of the input, as the agent reads it. */
export function withoutFiles(input: Step['input']): Step['input'] {
  if (input === undefined || filesOf(input).length === 0) return input
  const { files: _, ...rest } = input
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** The last message of the opening shows the files. */
export function withFiles(messages: readonly Message[], parts: readonly MediaPart[]): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const message = messages[at]
  if (parts.length === 0 || message?.role !== 'user') return messages
  return messages.with(at, { ...message, text: [message.text, ...parts.map(mediaLine)].join('\n'), parts })
}

const lookAgainMs = 600_000

/** Why the step cannot be run here, if so: the model takes no such files, or they are on another machine. */
export async function filesElsewhere(run: StepRun, media: MediaPolicy | undefined): Promise<StepOutcome | undefined> {
  const parts = filesOf(run.step.input)
  const refused = parts.find(({ kind }) => media?.accepts.includes(kind) !== true)
  if (refused !== undefined) {
    const message = `${refused.name} ${notAccepted(refused, media ?? { accepts: [] })}`
    return { end: 'failed', failure: { message, retryable: false, code: 'MODEL_INPUTS' } }
  }
  for (const part of parts) {
    if ((await media?.store.read(part)) !== undefined) continue
    const content = `waits for a worker on the machine that has ${part.name}: its bytes are not here`
    await run.observe({ kind: 'note', content, data: { file: part.name, hash: part.hash } })
    return { end: 'waits', waitsFor: { for: 'time', until: run.now() + lookAgainMs } }
  }
  return undefined
}
