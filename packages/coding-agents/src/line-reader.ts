/** Splits a stream into lines. A line that would need too much memory is left out. */
import { StringDecoder } from 'node:string_decoder'

export interface LineReader {
  add(chunk: Buffer): void
  end(): void
}

export function lineReader(take: (line: string) => void): LineReader {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const add = (text: string): void => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) rest = ' '
    for (const line of lines) if (line.trim() !== '') take(line.trimEnd())
  }
  return { add: (chunk) => add(decoder.write(chunk)), end: () => add(`${decoder.end()}\n`) }
}

const longestLine = 2 ** 24
