// @ts-check
/** What recall finds: `npm run eval -- recall` on the generated set and on each folder of labelled data, onto the scoreboard. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { generatedSet } from '../../eval/recall/generated-set.mjs'
import { readLabelledSet } from '../../../packages/cli/dist/eval/read-labelled-set.js'
import { root, run } from '../../run.mjs'
import { writeRecall } from '../scoreboard.mjs'
import { machine, today } from './machine.mjs'

/** @param {readonly string[]} folders */
export async function measureRecall(folders) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-bench-recall-'))
  try {
    const sets = [
      ...(await Promise.all(
        folders.map(async (folder) => ({ set: await readLabelledSet(folder), options: ['--data', folder] })),
      )),
      { set: generatedSet(1), options: [] },
    ]
    /** @type {Record<string, import('../scoreboard.mjs').RecallRun>} */
    const measured = {}
    /** @type {readonly string[]} */
    let kept = []
    for (const { set, options } of sets) {
      const where = machine()
      const json = path.join(scratch, 'results.json')
      const code = await run(process.execPath, [
        path.join(root, 'tools/eval/main.mjs'),
        'recall',
        '--json',
        json,
        ...options,
      ])
      if (code !== 0) throw new Error(`recall could not be measured on ${set.name}`)
      const { results } = JSON.parse(await readFile(json, 'utf8'))
      const [notes, questions] = [set.corpus.length, set.queries.length]
      measured[set.name] = { at: today(), machine: where, notes, questions, results }
      kept = await writeRecall(measured)
    }
    if (kept.length > 0)
      console.error(
        `not measured this time, so their older figures stay: ${kept.join(', ')}. To measure one: --data DIR`,
      )
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
