/**
 * The embedder that needs no set-up: a word table read once, then arithmetic. It knows words, not sentences, so a
 * paraphrase is found and irony is not; a transformer behind the same port does better where one is configured.
 */
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { embedText } from './pure/embed-text.ts'
import { parseStaticTable, type StaticTable } from './pure/static-table.ts'
import { StaticTableError } from './static-table-error.ts'

/** An embedder over a word table. */
export interface StaticEmbedder {
  /** Stored with every vector; vectors of different names are never compared. */
  readonly name: string
  readonly dimensions: number
  /** A vector is only the average of those of the words. Recall compares related words one by one instead. */
  readonly averagesWords: true
  /** One finite vector of unit length per text, in order. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

/** Options of `openStaticEmbedder`. */
export interface StaticEmbedderOptions {
  /** Another table file; default is the one in this package. */
  readonly table?: URL | string
}

const defaultTable = new URL('../table/glove-6b-50k.table', import.meta.url)
// Part of the name: how text becomes words and features decides the vectors as much as the table does.
const algorithm = 1
// About 15 ms of work. After each such turn, other work of the process can run.
const textsPerTurn = 512

/**
 * Opens the default embedder: a word table that comes with this package. It needs no network and no set-up. It knows
 * words, not sentences.
 *
 * @example
 * ```ts
 * import { openStaticEmbedder } from '@agentm/embedder-static'
 *
 * const embedder = await openStaticEmbedder()
 * const [vector] = await embedder.embed(['the lock lies outside the vault'])
 * console.log(vector?.length === embedder.dimensions) // true
 * ```
 */
export async function openStaticEmbedder({
  table = defaultTable,
}: StaticEmbedderOptions = {}): Promise<StaticEmbedder> {
  const { model, columns, hashed } = (await readTable(table)).header
  const dimensions = columns + hashed.dimensions
  // Nine megabytes. Most processes that open the embedder never use it, so the table is read again for the first text.
  let kept: StaticTable | undefined

  async function embed(texts: readonly string[]): Promise<Float32Array[]> {
    const words = (kept ??= await readTable(table))
    const vectors: Float32Array[] = []
    for (const text of texts) {
      if (vectors.length > 0 && vectors.length % textsPerTurn === 0) await setImmediate()
      vectors.push(embedText(words, text))
    }
    return vectors
  }

  return { name: `static-${algorithm}/${model}/${dimensions}`, dimensions, averagesWords: true, embed }
}

async function readTable(table: URL | string): Promise<StaticTable> {
  try {
    return parseStaticTable(await readFile(table))
  } catch (error) {
    throw explained(error, String(table))
  }
}

function explained(error: unknown, table: string): unknown {
  if (error instanceof StaticTableError)
    return new StaticTableError(error.fault, `${table}: ${error.message}`, { cause: error })
  if (!(error instanceof Error && 'code' in error)) return error
  const fault = error.code === 'ENOENT' ? 'absent' : 'unreadable'
  return new StaticTableError(
    fault,
    `${table}: the word table cannot be read (${String(error.code)}). Name another with \`table\`, or install the package again.`,
    { cause: error },
  )
}
