/**
 * One question whose answer must fit a schema. If it does not fit, the model gets the error and is asked once more. If it still
 * does not fit, that is returned as an outcome, because it happens in normal work.
 */
import { z } from 'zod'
import type { Message, Model, ModelReply, ReplyFormat, TokenUsage } from '../loop/model.ts'
import { tokensOf } from '../loop/pure/trim-context.ts'
import { jsonInText } from './pure/json-in-text.ts'

/** A question whose answer has to fit a schema. */
export interface StructuredQuestion<T> {
  readonly messages: readonly Message[]
  readonly schema: z.ZodType<T>
  /** What the answer is, in one word: `plan`, `belief`. */
  readonly name: string
  /** The most tokens of each reply (default: 4096). */
  readonly maxOutputTokens?: number
  readonly signal?: AbortSignal
  /** Called for each reply as it arrives, so that its cost is recorded even if a later reply fails. */
  readonly onUsage?: (usage: TokenUsage) => void
}

/** `usage` counts both replies. It is estimated if the model does not report it. */
export type Structured<T> =
  | { readonly ok: true; readonly value: T; readonly usage: TokenUsage }
  | { readonly ok: false; readonly problem: string; readonly usage: TokenUsage }

/** Throws only errors of the model, and when it is aborted. */
export async function askStructured<T>(model: Model, question: StructuredQuestion<T>): Promise<Structured<T>> {
  const format = {
    name: question.name,
    schema: z.toJSONSchema(question.schema, { io: 'input', unrepresentable: 'any' }),
  }
  const messages = told(question.messages, format)
  const first = await askOnce(model, { ...question, messages, format })
  const read = readAnswer(question.schema, first.text)
  if (read.ok) return { ...read, usage: first.usage }
  const repair: readonly Message[] = [
    { role: 'assistant', text: first.text, calls: [] },
    { role: 'user', text: `That answer was refused: ${read.problem}. Answer again, with the JSON value alone.` },
  ]
  const second = await askOnce(model, { ...question, messages: [...messages, ...repair], format })
  return { ...readAnswer(question.schema, second.text), usage: sum(first.usage, second.usage) }
}

/** The format is also described in words, because not every endpoint supports formats. Some accept instructions only at the beginning. */
function told(messages: readonly Message[], { name, schema }: ReplyFormat): readonly Message[] {
  const text = `Answer with one JSON value, the ${name}, and nothing else. It has to fit this JSON schema: ${JSON.stringify(schema)}`
  const head = messages.findIndex(({ role }) => role !== 'system')
  const at = head === -1 ? messages.length : head
  return [...messages.slice(0, at), { role: 'system', text }, ...messages.slice(at)]
}

async function askOnce(
  model: Model,
  { messages, format, signal = new AbortController().signal, maxOutputTokens = 4096, onUsage }: Asked,
): Promise<{ readonly text: string; readonly usage: TokenUsage }> {
  signal.throwIfAborted()
  const reply = await model.respond({ messages, tools: [], signal, maxOutputTokens, format })
  signal.throwIfAborted()
  const usage = priced(reply.usage ?? estimated(messages, reply), model)
  onUsage?.(usage)
  return { text: reply.text ?? '', usage }
}

interface Asked extends Omit<StructuredQuestion<unknown>, 'schema' | 'name'> {
  readonly format: ReplyFormat
}

function estimated(messages: readonly Message[], { text = '' }: ModelReply): TokenUsage {
  return { inputTokens: tokensOf(messages), outputTokens: tokensOf([{ role: 'user', text }]) }
}

function priced(usage: TokenUsage, model: Model): TokenUsage {
  const costMicros = usage.costMicros ?? model.costMicrosOf?.(usage)
  return costMicros === undefined ? usage : { ...usage, costMicros }
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

/** The first JSON value that fits. If none fits, the problem of the most likely one is returned. */
function readAnswer<T>(schema: z.ZodType<T>, text: string): Read<T> {
  const parsed = jsonInText(text).map((value) => schema.safeParse(value))
  const fitting = parsed.find(({ success }) => success)
  if (fitting?.success === true) return { ok: true, value: fitting.data }
  const issues = parsed[0]?.error?.issues ?? []
  if (issues.length === 0) return { ok: false, problem: text.trim() === '' ? 'it is empty' : 'it holds no JSON' }
  return { ok: false, problem: issues.slice(0, 8).map(describeIssue).join('; ') }
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return `${path.map(String).join('.') || 'the value'}: ${message}`
}

function sum(a: TokenUsage, b: TokenUsage): TokenUsage {
  const costMicros = (a.costMicros ?? 0) + (b.costMicros ?? 0)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(costMicros > 0 && { costMicros }),
  }
}
