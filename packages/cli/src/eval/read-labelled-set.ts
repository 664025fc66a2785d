/** Reads a labelled set in any of the known layouts, and refuses one that would make the figures meaningless. */
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { UsageError } from '../command.ts'
import type { LabelledSet } from './labelled-set.ts'
import { type DataFile, parsedJson } from './pure/parsed-data.ts'
import { readBeir } from './pure/read-beir.ts'
import { locomoSchema, readLocomo } from './pure/read-locomo.ts'
import { longMemEvalSchema, readLongMemEval } from './pure/read-longmemeval.ts'
import { readOwnLayout } from './pure/read-own-layout.ts'

/** `place` is a directory, or a file of LoCoMo or LongMemEval. */
export async function readLabelledSet(place: string): Promise<LabelledSet> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined) throw new UsageError(`there is no labelled data at ${place}. Name a directory or a file.`)
  const set = await (found.isDirectory() ? readDirectory(place) : readConversations(await dataFile(place)))
  return checked({ name: path.basename(path.resolve(place)), ...set }, place)
}

const layouts =
  'agentm reads corpus.jsonl and queries.jsonl, with qrels/test.tsv for BEIR, or one file of LoCoMo or LongMemEval'

async function readDirectory(directory: string): Promise<Omit<LabelledSet, 'name'>> {
  const names = await readdir(directory)
  if (names.includes('corpus.jsonl')) return readLines(directory)
  const conversations = names.filter((name) => name.endsWith('.json'))
  const [only, other] = conversations
  if (only === undefined || other !== undefined)
    throw new UsageError(
      `${directory} has ${only === undefined ? 'no labelled data' : `${conversations.length} .json files; name one of them`}. ${layouts}.`,
    )
  return readConversations(await dataFile(path.join(directory, only)))
}

async function readLines(directory: string): Promise<Omit<LabelledSet, 'name'>> {
  const fileOf = async (name: string) => dataFile(path.join(directory, name))
  const [corpus, queries] = await Promise.all([fileOf('corpus.jsonl'), fileOf('queries.jsonl')])
  const isBeir = await stat(path.join(directory, 'qrels')).catch(() => undefined)
  if (isBeir === undefined) return readOwnLayout({ corpus, queries })
  return readBeir({ corpus, queries, qrels: await fileOf(path.join('qrels', 'test.tsv')) })
}

function readConversations(file: DataFile): Omit<LabelledSet, 'name'> {
  const [first] = parsedJson(file, z.array(z.looseObject({})))
  if (first !== undefined && 'haystack_sessions' in first) return readLongMemEval(parsedJson(file, longMemEvalSchema))
  if (first !== undefined && 'conversation' in first) return readLocomo(parsedJson(file, locomoSchema))
  throw new UsageError(`${file.name} is neither LoCoMo nor LongMemEval. ${layouts}.`)
}

async function dataFile(name: string): Promise<DataFile> {
  try {
    return { name, text: await readFile(name, 'utf8') }
  } catch (error) {
    throw new UsageError(`${name} cannot be read. ${layouts}.`, { cause: error })
  }
}

function checked(set: LabelledSet, place: string): LabelledSet {
  const ids = new Set(set.corpus.map(({ id }) => id))
  if (ids.size < set.corpus.length) throw new UsageError(`${place}: two notes have the same id.`)
  if (set.queries.length === 0) throw new UsageError(`${place}: there is no question with a right note.`)
  const lost = set.queries.find(({ gold }) => !gold.some((id) => ids.has(id)))
  if (lost === undefined) return set
  throw new UsageError(`${place}: question ${lost.id} has no right note among the notes.`)
}
