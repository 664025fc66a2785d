/** Measures recall with labelled questions, in temporary directories. The user's own notes are neither read nor changed. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { atomicWrite, filePath } from '@agentm/vault-lock'
import { type Call, type Command, UsageError } from '../../command.ts'
import { endSignal } from '../../end-signal.ts'
import type { LabelledSet } from '../../eval/labelled-set.ts'
import { type Measured, measureRecall } from '../../eval/measure-recall.ts'
import { type AnsweredQuestion, compareRuns, parseRun, recallRun } from '../../eval/pure/recall-run.ts'
import { comparisonTable, runTable } from '../../eval/pure/run-table.ts'
import { readLabelledSet } from '../../eval/read-labelled-set.ts'
import { progressOf } from '../../progress.ts'
import { countOption } from '../number-options.ts'

export const evalRecall: Command = {
  summary: 'measure how well recall finds labelled notes, with your embedder and reranker',
  details:
    'Reads corpus.jsonl and queries.jsonl, the BEIR layout, or a file of LoCoMo or LongMemEval. The notes are written into a temporary ' +
    'directory, which is removed at the end; your own notes are neither read nor changed. To compare two settings, save the first ' +
    'run with --out FILE and give --compare FILE to the second.',
  options: {
    data: { value: 'PATH', help: 'the directory or file with notes and questions (required)' },
    'words-only': { help: 'leave out the embedder and the reranker, so that only words and time count' },
    pooled: { help: 'ask every question of all notes; otherwise of its own conversation, if the data names one' },
    questions: { value: 'N', help: 'ask only N questions, chosen evenly (default: all)' },
    compare: { value: 'FILE', help: 'show the change since an earlier run, and how likely it is by chance' },
    out: { value: 'FILE', help: 'also write the run into this file, for --compare' },
  },
  async run(call) {
    const place = call.get('data')
    if (place === undefined) throw new UsageError('--data is missing: the directory or file with notes and questions.')
    const earlier = await earlierRun(call)
    const set = withFewer(await readLabelledSet(path.resolve(call.cwd, place)), countOption(call, 'questions'))
    const signal = endSignal()
    const line = progressOf(call)
    const measured = await measureRecall(set, await call.workspace(), {
      wordsOnly: call.has('words-only'),
      pooled: call.has('pooled'),
      signal,
      onProgress: (done, total, what) =>
        line.show(what === 'texts' ? 'Making vectors' : 'Asking questions', done, total),
    })
      .catch((error: unknown) => {
        if (signal.aborted) return undefined
        throw error
      })
      .finally(() => line.clear())
    if (measured === undefined)
      return { text: 'Stopped; the temporary files were removed.', data: { isWhole: false }, exit: 1 }
    const run = recallRun(set, measured)
    const changes = earlier === undefined ? undefined : compareRuns(run.questions, earlier)
    const out = call.get('out')
    if (out !== undefined)
      await atomicWrite(filePath(path.resolve(call.cwd, out)), `${JSON.stringify(run, undefined, 2)}\n`)
    return {
      text: [runTable(run), ...(changes === undefined ? [] : [comparisonTable(changes)])].join('\n\n'),
      data: changes === undefined ? run : { ...run, changes },
      notices: noticesOf(measured),
    }
  },
}

function noticesOf({ refused, notices }: Measured): readonly string[] {
  return [
    ...(refused === 0 ? [] : [`the embedder refused ${refused} texts; they were found by words only`]),
    ...Array.from(notices, ([notice, many]) => `${many} questions: ${notice}`),
  ]
}

/** Read first, so that a wrong name is reported before the long part. */
async function earlierRun(call: Call): Promise<readonly AnsweredQuestion[] | undefined> {
  const name = call.get('compare')
  if (name === undefined) return undefined
  const file = path.resolve(call.cwd, name)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read. --compare needs a file that --out wrote.`, { cause: error })
  })
  return parseRun({ name: file, text })
}

function withFewer(set: LabelledSet, most: number | undefined): LabelledSet {
  if (most === undefined || most >= set.queries.length) return set
  const queries = Array.from({ length: most }, (_, i) => set.queries[Math.floor((i * set.queries.length) / most)])
  return { ...set, queries: queries.filter((question) => question !== undefined) }
}
