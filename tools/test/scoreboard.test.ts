import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type BenchRun, type RecallRun, writeBench, writeRecall, writeSection } from '../bench/scoreboard.mjs'
import { judge, type Measurement } from '../bench/frame.mjs'
import { charts } from '../bench/scoreboard/charts.mjs'
import { losses } from '../bench/scoreboard/losses.mjs'

const scratches: string[] = []
afterEach(async () => {
  for (const scratch of scratches.splice(0)) await rm(scratch, { recursive: true, force: true })
})

async function setup() {
  const docs = await mkdtemp(path.join(os.tmpdir(), 'agentm-scoreboard-'))
  scratches.push(docs)
  return { docs, page: async () => readFile(path.join(docs, 'scoreboard.md'), 'utf8') }
}

function resultOf(id: string, measured: Measurement, atLeast = 0) {
  const what = { id, what: `${id} written`, unit: 'writes/s', better: 'more' as const }
  return judge({ ...what, goals: [{ of: 'floor', atLeast }] }, measured)
}

function runOf(results: BenchRun['results'], more: Partial<BenchRun> = {}): BenchRun {
  const where = { at: '2026-01-02', machine: 'a machine', settings: '3 rounds', seconds: 12 }
  return { ...where, versions: { peer: '1.2.3' }, results, failures: {}, left: [], ...more }
}

const faster = resultOf('S1', { ours: 90, floor: 100, peers: { other: 30 } })
const slower = resultOf('N1-sqlite', { ours: 40, floor: 100, peers: { other: 80 } }, 0.7)

function recallOf(id: string, share: number, p50: number) {
  const scores = { recallAt1: share, recallAt5: share, recallAt10: share, mrr: share, ndcgAt10: share }
  return { id, ...scores, p50, p95: p50, byKind: {} }
}

const recallRun: RecallRun = {
  at: '2026-01-02',
  machine: 'a machine',
  notes: 3,
  questions: 2,
  results: [recallOf('ours', 0.75, 10), recallOf('bm25', 0.5, 1), recallOf('grep', 0.8, 20)],
}

describe('the scoreboard', () => {
  it('keeps each part while another one is written again', async () => {
    const { docs, page } = await setup()
    await writeBench('storage', runOf([faster]), { docs })
    await writeSection('Thresholds', '| a | b |\n|--|--|\n| 1 | 2 |', docs)
    await writeRecall({ tiny: recallRun }, docs)
    await writeBench('nodes-sqlite', runOf([slower]), { docs })
    await writeSection('Thresholds', 'Others now.', docs)
    const headings = (await page()).match(/^## .*$/gm)
    expect(headings).toEqual([
      '## At a glance',
      '## What we lose',
      '## Recall: what is found',
      '## Storage: durable writes',
      '## Nodes on SQLite',
      '## Thresholds',
    ])
    expect(await page()).toMatch(/## Thresholds\n\nOthers now\.\n$/)
    expect(await page()).toMatch(/\| S1 .*90 writes\/s \| +100 \| +0\.9× \| other 30 \(3×\)/)
    expect(await page()).toContain('2026-01-02, a machine, 3 rounds, 12 s; peer 1.2.3.')
    expect((await readdir(path.join(docs, 'charts'))).toSorted()).toEqual(['recall.svg', 'throughput.svg'])
  })

  it('keeps the figures of labelled sets that were not measured this time, each with its day', async () => {
    const { docs, page } = await setup()
    await writeRecall({ tiny: recallRun, large: { ...recallRun, notes: 900 } }, docs)
    const kept = await writeRecall({ tiny: { ...recallRun, at: '2026-02-03' } }, docs)
    expect(kept).toEqual(['large'])
    expect((await page()).match(/^### .*$/gm)).toEqual([
      '### tiny: 3 notes, 2 questions',
      '### large: 900 notes, 2 questions',
    ])
    expect(await page()).toContain('2026-02-03, a machine.')
    expect(await page()).toContain('2026-01-02, a machine.')
  })

  it('replaces single rows where only those were measured', async () => {
    const { docs, page } = await setup()
    await writeBench('nodes-sqlite', runOf([faster, slower], { failures: { N9: 'no disk' } }), { docs })
    const again = resultOf('S1', { ours: 95, floor: 100 })
    await writeBench('nodes-sqlite', runOf([again, resultOf('N9', { ours: 1 })]), { docs, merge: true })
    const rows = (await page()).match(/^\| [SN]\d.*$/gm) ?? []
    expect(
      rows.map((row) =>
        row
          .split('|')
          .slice(1, 4)
          .map((cell) => cell.trim()),
      ),
    ).toEqual([
      ['S1', 'S1 written', '95 writes/s'],
      ['N1-sqlite', 'N1-sqlite written', '40 writes/s'],
      ['N9', 'N9 written', '1 writes/s'],
    ])
    expect(await page()).not.toContain('no disk')
  })
})

describe('losses', () => {
  it('names what was better, which goals were missed, and what could not be measured', () => {
    const benches = { nodes: runOf([faster, slower], { failures: { N3: 'the server is gone' } }) }
    expect(losses({ benches, recall: { tiny: recallRun }, sections: {} })).toEqual([
      'N1-sqlite, N1-sqlite written: other is better, 80 writes/s against 40 (0.5×).',
      'recall of tiny: ours has R@1 .750, grep .800; R@5 .750, grep .800; R@10 .750, grep .800; MRR .750, grep .800; nDCG@10 .750, grep .800.',
      'recall of tiny, time to answer: ours 10 ms, bm25 1 ms; those hold every text in memory.',
      'N1-sqlite, N1-sqlite written: the goal is missed. Wanted ≥ 0.7 × floor; measured 40 writes/s, 0.4 × floor, 0.5 × other.',
      'nodes, N3: could not be measured: the server is gone',
    ])
  })

  it('is empty where ours is best', () => {
    expect(losses({ benches: { storage: runOf([faster]) }, recall: {}, sections: {} })).toEqual([])
  })
})

it('a chart draws each figure to scale, and none is drawn of nothing', () => {
  const drawn = charts({ benches: { nodes: runOf([slower]) }, recall: {}, sections: {} })
  expect(Object.keys(drawn)).toEqual(['throughput'])
  const widths = [...(drawn['throughput'] ?? '').matchAll(/<rect class="(\w+)" .* width="(\d+)"/g)]
  expect(widths.map(([, kind, width]) => [kind, Number(width)])).toEqual([
    ['ours', 144],
    ['other', 288],
    ['other', 360],
  ])
})
