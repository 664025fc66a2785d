/**
 * The note of a conversation: its title, then what was said, by whom. It is bounded, because a conversation can have a thousand pages: long
 * messages are cut, and after the limit only the number of further messages is given.
 */

export interface Said {
  readonly by: string
  readonly text: string
}

/** In characters. Recall searches passages, so a longer note would not be found better. */
export const mostOfMessage = 2000
export const mostOfConversation = 24_000

/** `undefined` if nothing was said. */
export function conversationText(title: string, messages: readonly Said[]): string | undefined {
  const said = messages.filter(({ text }) => text.trim() !== '')
  if (said.length === 0) return undefined
  const parts = [`# ${title}`]
  let size = 0
  for (const [i, { by, text }] of said.entries()) {
    const part = `**${by}:** ${cut(text.trim())}`
    size += part.length
    if (size > mostOfConversation && i > 0) {
      parts.push(`(${said.length - i} more messages were not imported.)`)
      break
    }
    parts.push(part)
  }
  return parts.join('\n\n')
}

function cut(text: string): string {
  if (text.length <= mostOfMessage) return text
  return `${text.slice(0, mostOfMessage).replace(/[\uD800-\uDBFF]$/, '')} …`
}
