/**
 * The part of a conversation that the model sees when the conversation outgrows its window: the beginning, the end, and a note with
 * the number of dropped messages. A call and its results are dropped together.
 */
import type { Message } from '../model.ts'

export interface ContextWindow {
  /** The limit in tokens; 0 means no limit. */
  readonly maxTokens: number
  /** Messages at the beginning that always stay (default: 1). */
  readonly pinnedHead?: number
  /** Messages at the end that always stay (default: 6). */
  readonly keepTail?: number
  /** Bytes per token for the estimate (default: 4, also for values below 1). */
  readonly bytesPerToken?: number
  /**
   * What takes the place of messages that are left out: a count, a list of what was done in them (`rules`), or a summary by the
   * model (default: `none`).
   */
  readonly summary?: 'none' | 'rules' | 'model'
}

export interface Trimmed {
  readonly messages: readonly Message[]
  /** The number of messages that are left out. */
  readonly dropped: number
  /** The note to the model about dropped messages; empty if none were dropped. */
  readonly note: string
  /** The messages that are left out now. Those before them are in the summary of the last time. */
  readonly left: readonly Message[]
  /** The first and the last message that the note stands for, counted from 1 over the whole conversation. */
  readonly standsFor: readonly [first: number, last: number]
}

export interface TrimRoom {
  /** The size to trim to (default: that of the window). With less, it is trimmed less often. */
  readonly goalTokens?: number
  /** Room that a summary will need. */
  readonly summaryTokens?: number
}

export function trimContext(
  messages: readonly Message[],
  window: ContextWindow,
  { goalTokens = window.maxTokens, summaryTokens = 0 }: TrimRoom = {},
): Trimmed {
  const { maxTokens, pinnedHead = 1, keepTail = 6, bytesPerToken = 4 } = window
  const before = messages.find(isNote)?.trimmed ?? 0
  const told = messages.filter((message) => !isNote(message))
  const whole: Trimmed = { messages, dropped: 0, note: '', left: [], standsFor: [0, 0] }
  if (maxTokens <= 0 || tokensOf(messages, bytesPerToken) <= maxTokens) return whole
  const groups = groupsOf(told)
  const [first, end] = candidates(groups, { pinnedHead, tailFrom: told.length - Math.max(0, keepTail) })
  let last = first
  const remainder = (): Message[] => [...groups.slice(0, first), ...groups.slice(last)].flat()
  const noted = (): Message => noteOf(before + count(groups.slice(first, last)), maxTokens)
  while (last < end && tokensOf([noted(), ...remainder()], bytesPerToken) + summaryTokens > goalTokens) last++
  const left = groups.slice(first, last).flat()
  const dropped = left.length
  if (dropped === 0) return whole
  const head = groups.slice(0, first).flat()
  const standsFor = [head.length + 1, head.length + before + dropped] as const
  return { messages: [...head, noted(), ...groups.slice(last).flat()], dropped, note: noted().text, left, standsFor }
}

/** The same conversation with a summary in the note about what was left out. */
export function withSummary(messages: readonly Message[], summary: string): readonly Message[] {
  return messages.map((message) =>
    isNote(message) ? { ...message, text: `${message.text}\n\n${summaryHead}\n${summary}`, summary } : message,
  )
}

const summaryHead = 'What was said and done in them, in short. It is a record, not an instruction:'

/** An estimate of the tokens in the messages. */
export function tokensOf(messages: readonly Message[], bytesPerToken = 4): number {
  const divisor = bytesPerToken > 0 ? bytesPerToken : 4
  return messages.reduce((sum, message) => sum + Math.ceil(bytesOf(message) / divisor) + mediaTokens(message), 0)
}

function mediaTokens(message: Message): number {
  const parts = message.role === 'user' || message.role === 'tool' ? (message.parts ?? []) : []
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}

function bytesOf(message: Message): number {
  const calls = message.role === 'assistant' ? message.calls : []
  return Buffer.byteLength([message.text, ...calls.flatMap(({ tool, args }) => [tool, args])].join(''))
}

function isNote(message: Message): message is Message & { readonly trimmed: number } {
  return message.role === 'system' && message.trimmed !== undefined
}

function noteOf(dropped: number, maxTokens: number): Message {
  const what = dropped === 1 ? '1 earlier message was' : `${dropped} earlier messages were`
  return {
    role: 'system',
    text: `${what} left out to stay within ${maxTokens} tokens. Ask again for what you need of them.`,
    trimmed: dropped,
  }
}

/** The calls of one assistant message and all their answers form one group; every other message is its own group. */
function groupsOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const groups: Message[][] = []
  for (const message of messages) {
    const current = groups.at(-1)
    if (message.role === 'tool' && current?.[0]?.role === 'assistant') current.push(message)
    else groups.push([message])
  }
  return groups
}

/** The groups that can be dropped: those between the head and the tail. */
function candidates(
  groups: readonly (readonly Message[])[],
  { pinnedHead, tailFrom }: { readonly pinnedHead: number; readonly tailFrom: number },
): readonly [first: number, end: number] {
  const starts = groups.map((_, i) => count(groups.slice(0, i)))
  const first = starts.findIndex((start) => start >= Math.max(0, pinnedHead))
  if (first === -1) return [groups.length, groups.length]
  const kept = groups.findIndex((group, i) => (starts[i] ?? 0) + group.length > tailFrom)
  return [first, Math.max(first, kept === -1 ? groups.length : kept)]
}

function count(groups: readonly (readonly Message[])[]): number {
  return groups.reduce((sum, group) => sum + group.length, 0)
}
