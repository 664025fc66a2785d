/** The calls of the last reply that have no answer yet: those within the limit for a reply, and those above it. */
import type { Message, ToolCall } from '../model.ts'

export function unansweredCalls(
  messages: readonly Message[],
  callsPerReply: number,
): { readonly made: readonly ToolCall[]; readonly over: readonly ToolCall[] } {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const reply = messages[at]
  if (reply?.role !== 'assistant') return { made: [], over: [] }
  const answered = new Set(
    messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
  )
  const open = (calls: readonly ToolCall[]): readonly ToolCall[] => calls.filter(({ id }) => !answered.has(id))
  return { made: open(reply.calls.slice(0, callsPerReply)), over: open(reply.calls.slice(callsPerReply)) }
}
