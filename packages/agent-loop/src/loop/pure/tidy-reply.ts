/** Normalises a reply: every call gets a unique id, whatever the provider sent. */
import type { ModelReply, ToolCall, TokenUsage } from '../model.ts'

export interface TidyReply {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: TokenUsage | undefined
  readonly note: string | undefined
}

/** `taken` are the ids of calls before this reply. */
export function tidyReply(reply: ModelReply, taken: ReadonlySet<string>): TidyReply {
  const used = new Set(taken)
  const calls = (reply.calls ?? []).map((call, i) => {
    const id = freeId(call.id.trim() || `call-${i + 1}`, used)
    used.add(id)
    return { id, tool: call.tool, args: call.args }
  })
  return { text: reply.text ?? '', calls, usage: reply.usage, note: reply.note }
}

function freeId(wanted: string, used: ReadonlySet<string>): string {
  let id = wanted
  for (let n = 2; used.has(id); n++) id = `${wanted}-${n}`
  return id
}

export function isEmptyReply({ text, calls }: TidyReply): boolean {
  return text.trim() === '' && calls.length === 0
}
