/** Reads an archive line by line, and refuses one that is damaged or incomplete, naming the line. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { ArchiveError } from './archive-error.ts'
import { type ArchivedVersion, type ArchiveEnd, endSchema, headingSchema, versionSchema } from './archived-version.ts'

export interface ReadArchiveOptions {
  /** Called after the last version, when the whole file was found undamaged. */
  readonly onEnd?: (end: ArchiveEnd) => void
}

export async function* readArchive(file: string, { onEnd }: ReadArchiveOptions = {}): AsyncGenerator<ArchivedVersion> {
  const hash = createHash('sha256')
  let [number, versions, nodes, last] = [0, 0, 0, '']
  let end: ArchiveEnd | undefined
  for await (const text of linesIn(file)) {
    number += 1
    const at = { file, number }
    if (end !== undefined)
      throw new ArchiveError(`${file} goes on after its end, in line ${number}. It is no archive that agentm wrote.`)
    const content = jsonIn(text, at)
    if (isEnd(content)) end = checked(endSchema, content, at).end
    else hash.update(`${text}\n`)
    if (number === 1) checked(headingSchema, content, at)
    if (number === 1 || end !== undefined) continue
    const version = checked(versionSchema, content, at)
    if (version.node.id !== last) nodes += 1
    last = version.node.id
    versions += 1
    yield version
  }
  if (end === undefined)
    throw new ArchiveError(
      `${file} is incomplete: its last line is missing. It was not written to the end; use another copy.`,
    )
  if (end.sha256 !== hash.digest('hex') || end.versions !== versions || end.nodes !== nodes)
    throw new ArchiveError(`${file} is damaged: its content does not match its last line. Use another copy.`)
  onEnd?.(end)
}

/** Whatever cannot be read or unpacked is said with the name of the file. */
async function* linesIn(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const unpacked = createGunzip()
  source.on('error', (error) => unpacked.destroy(error))
  try {
    let rest = ''
    for await (const text of source.pipe(unpacked).setEncoding('utf8')) {
      const lines = (rest + String(text)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } catch (error) {
    throw new ArchiveError(
      `${file} cannot be read as an archive: ${error instanceof Error ? error.message : String(error)}. Name a file that agentm log archive wrote.`,
      { cause: error },
    )
  } finally {
    source.destroy()
  }
}

interface Place {
  readonly file: string
  readonly number: number
}

function jsonIn(text: string, { file, number }: Place): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ArchiveError(`${file}: line ${number} is no JSON. The file is damaged; use another copy.`, {
      cause: error,
    })
  }
}

function isEnd(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'end' in content
}

function checked<S extends z.ZodType>(schema: S, content: unknown, { file, number }: Place): z.infer<S> {
  const { data, success } = schema.safeParse(content)
  if (success) return data
  const what =
    number === 1 ? 'is not the heading of an archive that this version of agentm can read' : 'is no version of a node'
  throw new ArchiveError(`${file}: line ${number} ${what}.`)
}
