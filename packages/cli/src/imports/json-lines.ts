/** The values of a file with one JSON value per line, also of a compressed one. Empty lines are skipped. */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { ImportFileError } from './import-file-error.ts'
import { decoded, type JsonItem, parsedJson } from './json-array.ts'

/** In bytes. A longer line is refused. */
const longestLine = 64_000_000

export async function* jsonLines(file: string): AsyncGenerator<JsonItem> {
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  for await (const chunk of bytesOf(file)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      number++
      yield* valueOf(bytes.subarray(start, end), { file, place: `line ${number}` })
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > longestLine)
      throw new ImportFileError({ file, place: `line ${number + 1}` }, 'the line is larger than 64 MB.')
  }
  yield* valueOf(rest, { file, place: `line ${number + 1}` })
}

function* valueOf(line: Uint8Array, at: { readonly file: string; readonly place: string }): Generator<JsonItem> {
  const text = decoded(line, at)
  if (text.trim() !== '') yield { place: at.place, value: parsedJson(text, at) }
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const stream = createReadStream(file, { highWaterMark: 1 << 20 })
  if (!file.endsWith('.gz')) {
    for await (const chunk of stream) yield chunk as Buffer
    return
  }
  const unpacked = createGunzip()
  stream.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  try {
    for await (const chunk of unpacked) yield chunk as Buffer
  } catch (cause) {
    throw new ImportFileError({ file }, 'it cannot be unpacked. Copy it again.', { cause })
  }
}
