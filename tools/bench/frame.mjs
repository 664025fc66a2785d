// @ts-check
/**
 * The common part of all benchmarks: contenders are measured in turns, medians are computed, goals are checked against the figures,
 * and one table and one JSON form are printed.
 *
 * A benchmark is a file tools/bench/NAME.mjs that exports `packages`, whose versions are printed, and `cases`. A case measures and
 * returns a `Measurement`. This file decides whether its goals are met; the case does not.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/**
 * A figure against another in the same run (`of`: `floor`, a peer's name, or `value` for ours as it stands), or a count.
 * @typedef {{ readonly of: string, readonly atLeast: number }
 *   | { readonly of: 'value', readonly atMost: number }
 *   | { readonly count: string, readonly is: number }
 *   | { readonly count: string, readonly atMost: number }} Goal
 */

/**
 * @typedef {object} Measurement
 * @property {number} ours
 * @property {number} [floor] the least that any honest implementation must do
 * @property {number} [ratio] how many times better than the floor; worked out from the two where absent
 * @property {Readonly<Record<string, number>>} [peers]
 * @property {Readonly<Record<string, number>>} [peerRatios] how many times better than each peer, as `ratio`
 * @property {Readonly<Record<string, number>>} [counts] `lost`, `torn`, `stray`, `doubles`, …
 * @property {readonly string[]} [notes] what a reader of the figures must know
 */

/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} what
 * @property {string} unit
 * @property {'more' | 'less'} better
 * @property {readonly Goal[]} goals
 * @property {boolean} [full] takes minutes; measured with `--full` only
 * @property {(settings: Settings) => Promise<Measurement>} measure
 */

/**
 * @typedef {object} Settings
 * @property {number} repeats
 * @property {number} scale 1 is full size; less shortens loops, for a look
 * @property {string} scratch an empty directory, removed afterwards
 */

/**
 * @typedef {Readonly<Record<string, unknown>> & {
 *   readonly id: string, readonly what: string, readonly unit: string, readonly ours: number,
 *   readonly floor: number | null, readonly ratio: number | null, readonly peers: Readonly<Record<string, number>>,
 *   readonly peerRatios: Readonly<Record<string, number>>, readonly goal: string, readonly ok: boolean }} Result
 */

/**
 * Measures each contender once per round. Each round starts with another one, so that none always gets the quietest moment.
 * @param {Readonly<Record<string, () => Promise<number>>>} contenders
 * @param {number} rounds
 * @returns {Promise<Record<string, number[]>>} one figure a round
 */
export async function interleave(contenders, rounds) {
  const names = Object.keys(contenders)
  /** @type {Record<string, number[]>} */
  const figures = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] ?? ''
      figures[name]?.push((await contenders[name]?.()) ?? Number.NaN)
    }
  }
  return figures
}

/**
 * Medians of the figures. Each ratio is the median of the ratios of all rounds, so that a slow moment of the machine affects both
 * sides of a ratio.
 * @param {Readonly<Record<string, readonly number[]>>} figures with `ours` and, where there is one, `floor`
 * @param {'more' | 'less'} better
 * @returns {Measurement}
 */
export function compare(figures, better) {
  const { ours = [], floor, ...peers } = figures
  /** @param {readonly number[]} other */
  const against = (other) => median(ours.map((figure, round) => timesBetter(figure, other[round] ?? 0, better)))
  return {
    ours: median(ours),
    ...(floor === undefined ? {} : { floor: median(floor), ratio: against(floor) }),
    peers: Object.fromEntries(Object.entries(peers).map(([name, each]) => [name, median(each)])),
    peerRatios: Object.fromEntries(Object.entries(peers).map(([name, each]) => [name, against(each)])),
  }
}

/** @param {readonly number[]} figures */
export function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** @param {Omit<Case, 'measure'>} what @param {Measurement} measured @returns {Result} */
export function judge({ id, what, unit, better, goals }, measured) {
  const { ours, floor, peers = {}, counts = {}, notes = [] } = measured
  const ratio = measured.ratio ?? (floor === undefined ? undefined : timesBetter(ours, floor, better))
  const computed = Object.entries(peers)
    .map(([name, figure]) => /** @type {const} */ ([name, timesBetter(ours, figure, better)]))
    .filter(([, times]) => Number.isFinite(times))
  const peerRatios = { ...Object.fromEntries(computed), ...measured.peerRatios }
  const figures = { value: ours, ...(ratio === undefined ? {} : { floor: ratio }), ...peerRatios }
  return {
    id,
    what,
    unit,
    ours: rounded(ours),
    floor: floor === undefined ? null : rounded(floor),
    ratio: ratio === undefined ? null : rounded(ratio),
    peers: allRounded(peers),
    peerRatios: allRounded(peerRatios),
    goal: goals.map((goal) => goalText(goal, unit)).join(', '),
    ok: goals.every((goal) => isMet(goal, figures, counts)),
    ...counts,
    ...(notes.length > 0 ? { notes } : {}),
  }
}

/**
 * Something is absent on this machine; the message has one line with the remedy. Rows that need it are left out, and the others are
 * measured.
 */
export class NotMeasurable extends Error {}

/**
 * Loads a package that only the benchmarks install. It is absent when the repository is built, so no import names it, and the
 * caller declares the types that it uses.
 * @param {string} name
 */
export async function peer(name) {
  return import(name)
}

/** The versions the figures hold for. @param {readonly string[]} packages ours and the peers @param {string} root */
export async function versionsOf(packages, root) {
  const rows = packages.map(async (name) => [name, await versionOf(name, root)])
  return {
    node: process.version,
    system: `${os.type()} ${os.release()}`,
    ...Object.fromEntries(await Promise.all(rows)),
  }
}

/** @param {readonly Result[]} results @param {Readonly<Record<string, string>>} versions */
export function table(results, versions) {
  const head = ['id', 'what', 'ours', 'floor', 'ratio', 'peers', 'counts', 'goal', '']
  const rows = results.map((result) => [
    result.id,
    result.what,
    `${result.ours} ${result.unit}`,
    result.floor ?? '–',
    result.ratio === null ? '–' : `${result.ratio}×`,
    Object.entries(result.peers)
      .map(([name, figure]) => `${name} ${figure}${name in result.peerRatios ? ` (${result.peerRatios[name]}×)` : ''}`)
      .join(', ') || '–',
    countsIn(result) || '–',
    result.goal,
    result.ok ? 'ok' : 'MISSED',
  ])
  const notes = results.flatMap(({ id, notes: each }) => (Array.isArray(each) ? each.map((n) => `${id}: ${n}`) : []))
  const said = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [...aligned([head, ...rows]), '', ...notes, said.join(' · ')].join('\n')
}

/** @param {Result} result */
function countsIn(result) {
  return Object.entries(result)
    .filter(([name, figure]) => typeof figure === 'number' && !['ours', 'floor', 'ratio'].includes(name))
    .map(([name, figure]) => `${Number(figure)} ${name}`)
    .join(', ')
}

/** @param {readonly (readonly unknown[])[]} rows */
function aligned(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  return rows.map((row) =>
    row
      .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** @param {Goal} goal @param {string} unit */
function goalText(goal, unit) {
  if ('count' in goal) return 'is' in goal ? `${goal.is} ${goal.count}` : `≤ ${goal.atMost} ${goal.count}`
  if ('atMost' in goal) return `≤ ${goal.atMost} ${unit}`
  return goal.of === 'value' ? `≥ ${goal.atLeast} ${unit}` : `≥ ${goal.atLeast} × ${goal.of}`
}

/**
 * A figure that is absent meets no goal.
 * @param {Goal} goal
 * @param {Readonly<Record<string, number>>} figures
 * @param {Readonly<Record<string, number>>} counts
 */
function isMet(goal, figures, counts) {
  if ('count' in goal) return isCount(goal, counts[goal.count] ?? Number.NaN)
  const figure = figures[goal.of] ?? Number.NaN
  return 'atMost' in goal ? figure <= goal.atMost : figure >= goal.atLeast
}

/** @param {Extract<Goal, { count: string }>} goal @param {number} count */
function isCount(goal, count) {
  return 'is' in goal ? count === goal.is : count <= goal.atMost
}

/** @param {number} ours @param {number} other @param {'more' | 'less'} better */
function timesBetter(ours, other, better) {
  return better === 'more' ? ours / other : other / ours
}

/** Three significant digits: what a repeated run would confirm. @param {number} figure */
function rounded(figure) {
  return Number(figure.toPrecision(3))
}

/** @param {Readonly<Record<string, number>>} figures */
function allRounded(figures) {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, rounded(figure)]))
}

/** @param {string} name @param {string} root */
async function versionOf(name, root) {
  const homes = ['tools/bench/node_modules', 'node_modules'].map((home) => path.join(root, home, name, 'package.json'))
  const manifest = homes.find((file) => existsSync(file))
  if (manifest === undefined) throw new TypeError(`${name} is not installed, so its version cannot be told`)
  return String(JSON.parse(await readFile(manifest, 'utf8')).version)
}
