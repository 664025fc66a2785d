/** The records of a session that Gemini CLI wrote as one JSON document: its head, then its messages. */
import { recordText, field, firstText, listOf, parseObject } from '../json-object.ts'

/** A document as records, as if it had been written in lines. */
export interface DocumentRecords {
  readonly session: string | undefined
  readonly records: readonly string[]
}

/** The records, or `undefined` if the text is no JSON object. */
export function documentRecords(text: string): DocumentRecords | undefined {
  const document = parseObject(text)
  if (document === undefined) return undefined
  const { messages: _messages, summary: _summary, lastUpdated: _lastUpdated, ...head } = document
  const summary = firstText(document, 'summary')
  const title = summary === undefined ? [] : [recordText({ $set: { summary } })]
  const messages = listOf(field(document, 'messages')).map((message) => recordText(message))
  return { session: firstText(document, 'sessionId'), records: [recordText(head), ...messages, ...title] }
}
