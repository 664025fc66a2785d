/** The address of a link that a note may lead to: another page or a letter. Anything else is no link. */
export function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href.trim())
    return ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}
