/** A text that shows whether it is whole: its first line is the hash of the rest. */
import { contentHash } from '@agentm/storage-seam'

export function sealedText(label: string, length: number): string {
  const line = `${label}: a line of a long text, with ümläuts\n`
  const body = line.repeat(Math.ceil(length / line.length))
  return `${contentHash(body)}\n${body}`
}

export function isSealed(text: string): boolean {
  const end = text.indexOf('\n')
  return end > 0 && text.slice(0, end) === contentHash(text.slice(end + 1))
}
