// @ts-check
/** Work kept apart: eight steps on one repository at once, beside one after the other. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { openCrew } from '../trees-crew.mjs'

export const packages = ['@agentm/harness', '@agentm/nodes-sqlite']

/** What stands for the time that a model takes. */
const seconds = 2

/**
 * The time from the first worker's start until the plan has ended, its check included.
 * @param {string} scratch
 * @param {{ readonly apart: boolean, readonly atOnce: number }} how
 */
async function run(scratch, { apart, atOnce }) {
  mkdirSync(scratch)
  const crew = await openCrew(scratch, { slots: Math.max(1, atOnce / 2), atOnce })
  try {
    await crew.start()
    if (atOnce > 1) await crew.start()
    const began = performance.now()
    const { planId } = await crew.plan({ apart, seconds })
    const { payload } = await crew.harness.ended(planId)
    return { ms: performance.now() - began, failed: payload.status === 'done' ? 0 : 1 }
  } finally {
    await crew.close()
  }
}

/** @param {{ readonly repeats: number, readonly scratch: string }} settings */
async function measure({ repeats, scratch }) {
  const rounds = Math.min(repeats, 3)
  const ways = {
    atOnce: { apart: true, atOnce: 8 },
    oneByOne: { apart: true, atOnce: 1 },
    inFolder: { apart: false, atOnce: 1 },
  }
  /** @type {Record<string, number[]>} */
  const times = {}
  let failed = 0
  for (let round = 0; round < rounds; round += 1)
    for (const [name, how] of Object.entries(ways)) {
      const ran = await run(path.join(scratch, `${name}-${round}`), how)
      failed += ran.failed
      ;(times[name] ??= []).push(ran.ms)
    }
  const median = (/** @type {string} */ name) => times[name]?.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  const [atOnce, oneByOne, inFolder] = [median('atOnce'), median('oneByOne'), median('inFolder')]
  return {
    ours: Math.round(atOnce),
    peers: { 'one after the other': Math.round(oneByOne), 'in the folder itself': Math.round(inFolder) },
    peerRatios: { 'one after the other': oneByOne / atOnce, 'in the folder itself': inFolder / atOnce },
    counts: { failed },
    notes: [
      `Each step sleeps ${seconds} s, as a model would think, and edits two files; both peers run one step after the other, the second without trees.`,
    ],
  }
}

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'T1-eight',
    what: 'eight steps that edit one repository at once, merged in order and checked',
    unit: 'ms',
    better: 'less',
    // How much is won depends on what else the machine does: git is started about ten times a step.
    goals: [{ count: 'failed', is: 0 }],
    measure,
  },
]
