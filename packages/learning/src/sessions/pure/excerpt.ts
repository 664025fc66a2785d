/** A short part of a text for keeping: without secrets, with its lines, and never cut inside a character. */
import { stripVTControlCharacters } from 'node:util'
import { redactSecrets } from '@agentm/nodes'

// Secrets are looked for before the cut, because half a key is no longer recognised. Longer texts are not searched in full.
const mostSearched = 20_000

export const mostExcerpt = 1000

export function excerpt(text: string, most = mostExcerpt): string {
  const short = redactSecrets(cut(text.toWellFormed().trim(), mostSearched))
  return short.length <= most ? short : `${cut(short, most - 1)}…`
}

/** The line of a program's output that tells what went wrong; absent if there is no text. */
export function tellingLine(output: string): string | undefined {
  const lines = cut(output, mostSearched)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line))
  const telling = lines.find((line) => failing.test(line)) ?? lines.at(-1)
  return telling === undefined ? undefined : excerpt(stripVTControlCharacters(telling), mostLine)
}

const mostLine = 300
const failing =
  /error|fail|exception|cannot|can't|could not|not found|undefined|denied|refused|missing|unexpected|invalid|panic|fatal/i

function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}
