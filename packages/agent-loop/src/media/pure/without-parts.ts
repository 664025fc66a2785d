/** A message without some of its pictures and documents. A line stands for each. */
import type { Message } from '../../loop/model.ts'
import type { MediaPart } from '../media-part.ts'
import { partsOf } from './drop-media.ts'
import { leftOutLine } from './media-text.ts'

export function withoutParts(message: Message, isKept: (part: MediaPart) => boolean, why: string): Message {
  const left = partsOf(message).filter((part) => !isKept(part))
  if (left.length === 0 || (message.role !== 'user' && message.role !== 'tool')) return message
  const kept = partsOf(message).filter(isKept)
  const text = [message.text, ...left.map((part) => leftOutLine(part, why))].join('\n')
  const { parts: _, ...rest } = message
  return { ...rest, text, ...(kept.length > 0 && { parts: kept }) }
}
