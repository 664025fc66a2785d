/** The title of a text: its first line that is not empty, a heading or a whole sentence. */
import { firstSentence } from './first-sentence.ts'

/** A line of at most this length is used whole as the title; of a longer one, only its first sentence is used. */
const longestLine = 120
const longestTitle = 240

/** The title of a text: its first heading or sentence. */
export function titleIn(text: string): string | undefined {
  const head = text.slice(0, 4000).replace(/^\s*(?:<!--[^]*?-->\s*)+/, '')
  const line = head.split(/[\r\n\u0085\u2028\u2029]/).find((each) => hasContent(each) && !/^\s*(?:```|~~~)/.test(each))
  const plain = line === undefined ? '' : withoutMarks(line)
  if (plain === '') return undefined
  if (plain.length <= longestLine) return plain
  const sentence = firstSentence(plain.slice(0, 4 * longestTitle))
  return sentence.length <= longestTitle ? sentence : cut(sentence)
}

/** ASCII is looked for first, because compiling the Unicode classes takes a hook several milliseconds. */
function hasContent(line: string): boolean {
  return /[A-Za-z0-9]/.test(line) || /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(line)
}

/** Removes the Markdown marks of a heading, a quotation, a list item or bold words. */
function withoutMarks(line: string): string {
  return line
    .replace(/^[\s>]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d+[.)][ \t]+)?/, '')
    .replaceAll(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '$1')
    .replace(/[ \t]+#+[ \t]*$/, '')
    .trim()
}

/** Cuts at the end of a word if possible. */
function cut(sentence: string): string {
  const piece = sentence.slice(0, longestTitle).replace(/[\uD800-\uDBFF]$/, '')
  const word = piece.replace(/\s+\S*$/, '')
  return `${(word.length > longestTitle / 2 ? word : piece).trimEnd()} …`
}
