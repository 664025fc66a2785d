// @ts-check
/**
 * What was measured last, and the page and charts that tell it: docs/scoreboard.json, docs/scoreboard.md, docs/charts/*.svg.
 * Each part is replaced by itself, so one benchmark can be run again without the others.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../run.mjs'
import { charts } from './scoreboard/charts.mjs'
import { page } from './scoreboard/page.mjs'

/**
 * @typedef {object} BenchRun
 * @property {string} at the day
 * @property {string} machine
 * @property {string} settings
 * @property {number} seconds
 * @property {Readonly<Record<string, string>>} versions
 * @property {readonly import('./frame.mjs').Result[]} results
 * @property {Readonly<Record<string, string>>} failures by id: what could not be measured, and why
 * @property {readonly string[]} left ids that are measured on demand only
 */

/**
 * @typedef {object} RecallRun
 * @property {string} at
 * @property {string} machine
 * @property {number} notes
 * @property {number} questions
 * @property {readonly import('../eval/recall/measure.mjs').Result[]} results
 */

/**
 * @typedef {object} Board
 * @property {Readonly<Record<string, BenchRun>>} benches
 * @property {Readonly<Record<string, RecallRun>>} recall by the set's name
 * @property {Readonly<Record<string, string>>} sections Markdown of other tools, by heading
 */

const home = path.join(root, 'docs')

/**
 * A part of the page that another tool writes: what stands under the heading `name`.
 * @param {string} name @param {string} markdown without the heading @param {string} [docs]
 */
export async function writeSection(name, markdown, docs = home) {
  await change(docs, (board) => ({ ...board, sections: { ...board.sections, [name]: markdown.trim() } }))
}

/**
 * With `merge`, rows that were not measured this time stay.
 * @param {string} name @param {BenchRun} run @param {{ merge?: boolean, docs?: string }} [options]
 */
export async function writeBench(name, run, { merge = false, docs = home } = {}) {
  await change(docs, (board) => {
    const before = board.benches[name]
    const next = merge && before !== undefined ? merged(before, run) : run
    return { ...board, benches: { ...board.benches, [name]: next } }
  })
}

/**
 * Sets that were not measured this time stay, each with its day. Answers their names.
 * @param {Board['recall']} recall @returns {Promise<readonly string[]>}
 */
export async function writeRecall(recall, docs = home) {
  const before = (await readBoard(docs)).recall
  await change(docs, (board) => ({ ...board, recall: { ...board.recall, ...recall } }))
  return Object.keys(before).filter((name) => recall[name] === undefined)
}

/** The page and the charts again, from what is kept. */
export async function writePage(docs = home) {
  await change(docs, (board) => board)
}

/** @param {string} docs @returns {Promise<Board>} */
export async function readBoard(docs = home) {
  const empty = { benches: {}, recall: {}, sections: {} }
  try {
    return { ...empty, ...JSON.parse(await readFile(path.join(docs, 'scoreboard.json'), 'utf8')) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return empty
    throw error
  }
}

/** @param {string} docs @param {(board: Board) => Board} how */
async function change(docs, how) {
  const board = how(await readBoard(docs))
  const drawn = charts(board)
  await mkdir(path.join(docs, 'charts'), { recursive: true })
  await put(docs, 'scoreboard.json', formatted('scoreboard.json', JSON.stringify(board, null, 2)))
  for (const [name, svg] of Object.entries(drawn)) await put(docs, `charts/${name}.svg`, svg)
  await put(docs, 'scoreboard.md', formatted('scoreboard.md', page(board, Object.keys(drawn))))
}

/** Whole or not at all: a run may be stopped at any time. @param {string} docs @param {string} name @param {string} text */
async function put(docs, name, text) {
  const file = path.join(docs, name)
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

/** As the repository's formatter wants it, so that its check has nothing to say. @param {string} name @param {string} text */
function formatted(name, text) {
  const formatter = path.join(root, 'node_modules', '.bin', 'oxfmt')
  const { status, stdout, stderr } = spawnSync(formatter, [`--stdin-filepath=docs/${name}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name} could not be formatted: ${stderr}`)
  return stdout
}

/** @param {BenchRun} before @param {BenchRun} run @returns {BenchRun} */
function merged(before, run) {
  const touched = new Set([...run.results.map(({ id }) => id), ...Object.keys(run.failures)])
  const kept = before.results.filter(({ id }) => !touched.has(id))
  const failed = Object.entries(before.failures).filter(([id]) => !touched.has(id))
  return {
    ...run,
    versions: { ...before.versions, ...run.versions },
    results: [...kept, ...run.results].toSorted((a, b) => place(before, run, a.id) - place(before, run, b.id)),
    failures: { ...Object.fromEntries(failed), ...run.failures },
    left: before.left.filter((id) => !touched.has(id)),
  }
}

/** Old rows keep their places; new ones come last. @param {BenchRun} before @param {BenchRun} run @param {string} id */
function place(before, run, id) {
  const at = before.results.findIndex((row) => row.id === id)
  return at === -1 ? before.results.length + run.results.findIndex((row) => row.id === id) : at
}
