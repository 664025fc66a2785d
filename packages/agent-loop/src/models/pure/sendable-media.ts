/** The pictures and documents of a conversation in the form that requests carry. */
import type { Message, ModelRequest } from '../../loop/model.ts'
import type { MediaPart } from '../../media/media-part.ts'
import { partsOf } from '../../media/pure/drop-media.ts'

export interface Sendable {
  readonly part: MediaPart
  readonly base64: string
}

export function sendable(message: Message, media: ModelRequest['media'] = new Map()): readonly Sendable[] {
  return partsOf(message).flatMap((part) => {
    const bytes = media.get(part.hash)
    return bytes === undefined ? [] : [{ part, base64: Buffer.from(bytes).toString('base64') }]
  })
}

/**
 * What tools answered with pictures is shown in a message of the user, after all answers of the same reply, because results of tools
 * are text in this protocol.
 */
export function withShown(messages: readonly Message[], media: ModelRequest['media']): readonly Message[] {
  const shown: Message[] = []
  let waiting: MediaPart[] = []
  const show = (): void => {
    if (waiting.length === 0) return
    const names = waiting.map(({ name }) => name).join(', ')
    shown.push({ role: 'user', text: `Shown by the tools above: ${names}.`, parts: waiting })
    waiting = []
  }
  for (const message of messages) {
    if (message.role !== 'tool') show()
    shown.push(message)
    if (message.role === 'tool') waiting.push(...sendable(message, media).map(({ part }) => part))
  }
  show()
  return shown
}
