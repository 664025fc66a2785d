/**
 * A text of Markdown as a tree. It is drawn from the tree, so no text of a note is ever read as HTML: what looks like a tag is shown as the
 * letters that it is written with.
 */
import { lexer, type MarkedToken, type Token } from 'marked'

/** Longer texts are shown as they are written: reading them would make the page wait. */
const longest = 60_000
const deepest = 40

/** `undefined` if the text is too long or too deeply nested to be drawn. */
export function markdownTokens(text: string): readonly MarkedToken[] | undefined {
  if (text.length > longest) return undefined
  try {
    const tokens = lexer(text).filter(isKnown)
    return isDeeper(tokens, deepest) ? undefined : tokens
  } catch (error) {
    // A text may nest so deeply that reading it has no end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const known: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
])

export function isKnown(token: Token): token is MarkedToken {
  return known.has(token.type)
}

function isDeeper(tokens: readonly Token[], most: number): boolean {
  return tokens.some((token) => {
    const inside = insideOf(token)
    return inside.length > 0 && (most === 0 || isDeeper(inside, most - 1))
  })
}

function insideOf(token: Token): readonly Token[] {
  if (!isKnown(token)) return []
  if (token.type === 'list') return token.items
  return 'tokens' in token && token.tokens !== undefined ? token.tokens : []
}
