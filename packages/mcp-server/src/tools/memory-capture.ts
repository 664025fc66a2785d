import { oneLine } from '@agentm/memory/shown'
import { z } from 'zod'
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
    const waiting = outcome === 'captured' ? 'Captured as' : `Seen ${occurrences} times now:`
    const secrets =
      redacted.length === 0 ? [] : [`Replaced in it: ${redacted.map((kind) => oneLine(kind)).join(', ')}.`]
    return [`${waiting} ${oneLine(key)}`, ...secrets].join('\n')
  },
})
