import type { Model } from '@agentm/agent-loop'

/** Lists, removes every `.tmp` it sees, lists again, and says so. */
export const tidyModel: Model = {
  async respond({ messages }) {
    const last = messages.findLast((message) => message.role === 'tool')
    if (last?.tool !== 'list') return { calls: [{ id: '', tool: 'list', args: '{}' }] }
    const rubbish = last.text.split('\n').filter((file) => file.endsWith('.tmp'))
    if (rubbish.length === 0) return { text: `Kept: ${last.text.replaceAll('\n', ', ')}.` }
    return { calls: rubbish.map((file) => ({ id: '', tool: 'remove', args: JSON.stringify({ file }) })) }
  },
}
