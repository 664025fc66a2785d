// @ts-check
/** Latest, scan and recall on filled stores, and a cold process's first answer. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { compare, interleave, median } from '../frame.mjs'
import { embedder, generator } from './data.mjs'
import { filledStores } from './filled.mjs'
import { ada, concept } from './items.mjs'
import { hasVec } from './sqlite.mjs'

const run = promisify(execFile)
const halfLife = 7 * 24 * 3600

/** @typedef {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} Measure */

/** @type {Measure} */
export async function latest({ repeats, scale }) {
  const { ours, floor } = await filledStores(10_000)
  const { random } = generator(11)
  const ids = () =>
    Array.from({ length: 500 }, () => `b${Math.floor(random() * 10) * 1000}-${Math.floor(random() * 1000)}`)
  const figures = await interleave(
    {
      ours: async () =>
        microseconds(ids(), async (id) => {
          await ours.log.latest(`${concept}:${id}`, ada)
        }),
      floor: async () => microseconds(ids(), async (id) => floor.latest(id)),
    },
    Math.max(3, Math.round(repeats * scale)),
  )
  return compare(figures, 'less')
}

/** @type {Measure} */
export async function scan({ repeats, scale }) {
  const { ours, floor } = await filledStores(10_000)
  const times = Array.from({ length: 30 }, () => '')
  const figures = await interleave(
    {
      ours: async () =>
        microseconds(times, async () => {
          await ours.log.scan({ owner: 'ada', concepts: [concept], order: 'newest', limit: 50 })
        }),
      floor: async () => microseconds(times, async () => floor.newest(concept)),
    },
    Math.max(3, Math.round(repeats * scale)),
  )
  return compare(figures, 'less')
}

/** @param {number} size @param {{ readonly words: boolean }} options @returns {Measure} */
export function recall(size, { words }) {
  return async ({ repeats, scale }) => {
    const stores = await filledStores(size)
    const { ours, floor, now } = stores
    const from = generator(13)
    const rounds = Math.max(5, Math.round(repeats * scale))
    const weights = words ? { wSem: 0.5, wLex: 0.3, wRec: 0.2 } : {}
    let widened = 0
    const figures = await interleave(
      {
        ours: async () => {
          const vector = from.vector()
          const query = {
            owner: 'ada',
            text: from.text(6),
            halfLife,
            at: now(),
            vector: { embedder, values: vector },
            ...weights,
          }
          return milliseconds(async () => {
            widened += (await ours.recall.recall(query)).widened
          })
        },
        ...(words || !hasVec
          ? {}
          : {
              'sqlite-vec, one statement': async () => {
                const vector = from.vector()
                return milliseconds(async () => {
                  floor.recall(vector, now(), halfLife)
                })
              },
              'sqlite-vec, newest versions': async () => {
                const vector = from.vector()
                return milliseconds(async () => {
                  floor.recallNewest(vector, now(), halfLife)
                })
              },
            }),
      },
      rounds,
    )
    const ordered = (figures['ours'] ?? []).toSorted((a, b) => a - b)
    return {
      ...compare(figures, 'less'),
      notes: [
        `${size} × 256 dimensions, the first question of the process among them; slowest ${ordered.at(-1)?.toFixed(1)} ms`,
        `${widened} of ${rounds} questions had their lists widened`,
        ...(await growth(size, ordered, words)),
      ],
    }
  }
}

/** @type {Map<boolean, number>} */
const small = new Map()

/** @param {number} size @param {readonly number[]} figures @param {boolean} words */
async function growth(size, figures, words) {
  if (size === 10_000) small.set(words, median(figures))
  const before = small.get(words)
  return before === undefined || size === 10_000
    ? []
    : [`${(median(figures) / before).toFixed(1)} × the time at 10,000`]
}

/** @type {Measure} */
export async function cold({ repeats, scale }) {
  const { directory } = await filledStores(100_000)
  const script = path.join(import.meta.dirname, 'cold-process.mjs')
  const times = []
  for (let i = 0; i < Math.max(3, Math.round(Math.min(repeats, 9) * scale)); i++) {
    const { stdout } = await run(process.execPath, [script, directory])
    times.push(Number(stdout))
  }
  return { ours: median(times), notes: ['a new process each time, from before the open to after the first answer'] }
}

/** @param {readonly string[]} list @param {(each: string) => Promise<unknown>} work */
async function microseconds(list, work) {
  const started = performance.now()
  for (const each of list) await work(each)
  return ((performance.now() - started) * 1000) / list.length
}

/** @param {() => Promise<void>} work */
async function milliseconds(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}
