import { oneLine } from '@agentm/memory/shown'
import { z } from 'zod'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const memoryForget = tool({
  name: 'memory_forget',
  description:
    'Forget a note that an agent wrote and that no longer holds, by the id or key that recall shows. It is not recalled ' +
    'again; a person can restore it, or delete it permanently. To forget a note of a person, ask them to run agentm forget.',
  input: z.strictObject({ note: z.string().min(1).describe('Its id or key'), reason: z.string().optional() }),
  hints: { title: 'Forget a note', readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async answer(port, { note, reason }) {
    const { id, key, alreadyForgotten } = await port.forget(note, withoutAbsent({ reason }))
    return `${alreadyForgotten ? 'It was forgotten before:' : 'Forgotten:'} ${oneLine(key ?? id)}`
  },
})
