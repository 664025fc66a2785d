import { oneLine } from '@agentm/memory/shown'
import { z } from 'zod'
import type { CapturedNote } from '../memory-port.ts'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const memoryCapture = tool({
  name: 'memory_capture',
  description:
    'Put what may be worth keeping into the inbox, for a person to review. It is not recalled until it is saved. ' +
    'Secrets in it are replaced.',
  input: z.strictObject({
    text: z.string(),
    kind: z.string().optional(),
    confidence: z.number().min(0).max(1).optional(),
    rationale: z.string().optional().describe('Why it may be worth keeping'),
  }),
  hints: { title: 'Capture a candidate', readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async answer(port, given) {
    const { outcome, key, occurrences, redacted } = await port.capture(withoutAbsent(given))
    const what = capturedText({ outcome, key, occurrences })
    const secrets =
      redacted.length === 0 ? [] : [`Replaced in it: ${redacted.map((kind) => oneLine(kind)).join(', ')}.`]
    return [what, ...secrets].join('\n')
  },
})

/** The result of a proposal, as text. */
export function capturedText({
  outcome,
  key,
  occurrences,
}: Pick<CapturedNote, 'outcome' | 'key' | 'occurrences'>): string {
  const at = oneLine(key)
  if (outcome === 'captured') return `Captured as ${at}`
  if (outcome === 'seen-again') return `Seen ${occurrences} times now: ${at}`
  if (outcome === 'known') return `A note says it already: ${at}`
  return 'The user turned this down before. It does not wait in the inbox again.'
}
