/** Lists conflict copies: a sync program makes one when a file was changed in two places. Only a person can tell which is right. */
import { oneLine } from '@agentm/memory/shown'
import type { Command } from '../command.ts'

export const conflicts: Command = {
  summary: 'list conflict copies: a sync program makes one when a file was changed in two places',
  details:
    'This command changes and deletes nothing. Compare each pair, move what is right into the original, then delete the copy.',
  async run(call) {
    const pairs = await (await call.reader()).conflicts()
    const text =
      pairs.length === 0
        ? 'No conflict copies.'
        : pairs.map(({ copy, of, family }) => `${oneLine(copy)}\n  is a copy of ${oneLine(of)} (${family})`).join('\n')
    return { text, data: { pairs } }
  },
}
