// @ts-check
/**
 * What is measured among many notes: indexing, the first answer, answers of a process that stays and of one from nothing, hooks. For
 * whole processes the figure is processor time, which other programs change little; the time by the clock stands beside it.
 */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { compare, median } from '../frame.mjs'
import { whileBusy } from './busy.mjs'
import { agentm, measureIn } from './filled-home.mjs'
import { cost } from './measured-process.mjs'
import { proseFrom } from './prose.mjs'
import { readyHome, sizedHome } from './sized-home.mjs'

/** @typedef {import('../frame.mjs').Case['measure']} Measure */
/** @typedef {import('./sized-home.mjs').Size} Size */

const prompts = 20
const megabyte = 1024 * 1024

/** Until the first answer, when nothing was indexed yet. @param {Size} size @returns {Measure} */
export function firstAnswer(size) {
  return async () => {
    const home = await sizedHome(size)
    home.dropIndex()
    const { wallMs, cpuMs, peakMb, said } = await cost(
      [agentm, 'recall', proseFrom(3).promptAbout(home.notes[7] ?? noNote)],
      home,
    )
    return {
      ours: cpuMs / 1000,
      counts: { 'wall s': rounded(wallMs / 1000), 'peak MB': rounded(peakMb), silent: Number(said === '') },
    }
  }
}

/** @param {Size} size @param {import('./sized-home.mjs').Provider} provider @returns {Measure} */
export function indexing(size, provider) {
  return async () => {
    const { home, indexing: took } = await readyHome(size, provider)
    const counts = {
      'wall s': rounded(took.wallMs / 1000),
      'peak MB': rounded(took.peakMb),
      'MB on disk': rounded(took.disk / megabyte),
      'MB of notes': rounded(home.bytes / megabyte),
      '% of notes': Math.round((100 * took.disk) / home.bytes),
    }
    return { ours: took.cpuMs / 1000, counts }
  }
}

/** In a process that stays. @param {Size & { readonly episodes?: number }} size @returns {Measure} */
export function warm({ episodes = 0, ...size }) {
  return async ({ repeats, scale }) => {
    const { home } = await readyHome(size)
    const rounds = Math.max(20, Math.round(repeats * 2 * scale))
    const { figures, found, behind } = await measureIn(home, 'answers', { ...size, episodes, rounds })
    const hits = Object.entries(found).map(([name, count]) => `${name} ${count}`)
    return {
      ...compare(figures, 'less'),
      counts: { 'p95 ms': rounded(p95(figures.ours)), 'FTS5 p95 ms': rounded(p95(figures['SQLite FTS5'])), behind },
      notes: [`each question is about one note; among the ten best of ${rounds}: ${hits.join(', ')}`],
    }
  }
}

/** The memory of a process that stays, after fifty questions. @param {Size} size @returns {Measure} */
export function resident(size) {
  return async () => {
    const { home } = await readyHome(size)
    const prose = proseFrom(9)
    const asked = Array.from({ length: 50 }, () => prose.promptAbout(prose.pick(home.notes)))
    const { peakMb, nowMb, withoutMb } = await measureIn(home, 'resident', { prompts: asked })
    const counts = { 'MB at the end': rounded(nowMb), 'MB before opening': rounded(withoutMb) }
    return { ours: peakMb, counts }
  }
}

/** `agentm recall` from nothing. @param {Size} size @returns {Measure} */
export function coldProcess(size) {
  return async ({ repeats, scale }) => {
    const { home } = await readyHome(size)
    const prose = proseFrom(3)
    const rounds = Math.min(11, Math.max(3, Math.round(repeats * scale)))
    const asked = Array.from({ length: rounds }, () => prose.pick(home.notes))
    const { costs, right } = await inTurn(asked, (note) => cost([agentm, 'recall', prose.promptAbout(note)], home))
    const counts = { ...spent(costs), right, of: rounds }
    return { ours: median(costs.map(({ cpuMs }) => cpuMs)), counts }
  }
}

/** @param {Size} size @param {{ readonly busy?: number }} [how] @returns {Measure} */
export function promptHooks(size, { busy = 0 } = {}) {
  return async () => {
    const { home } = await readyHome(size)
    const prose = proseFrom(5)
    const asked = Array.from({ length: prompts }, () => prose.pick(home.notes))
    const ask = (/** @type {import('./prose.mjs').Page} */ note, /** @type {number} */ i) =>
      cost([agentm, 'hook', 'prompt-submit'], home, {
        input: { session_id: `session-${busy}-${i}`, cwd: home.cwd, prompt: prose.promptAbout(note) },
      })
    await ask(prose.pick(home.notes), -1)
    const { costs, right, answered } = await whileBusy(busy, () => inTurn(asked, ask))
    const counts = { answered, of: prompts, right, ...spent(costs) }
    return { ours: p95(costs.map(({ cpuMs }) => cpuMs)), counts }
  }
}

/** What compiled code of the run before saves: the same prompts with it, and with a cache that is empty. @param {Size} size @returns {Measure} */
export function keptCode(size) {
  return async () => {
    const { home } = await readyHome(size)
    const prose = proseFrom(5)
    const asked = Array.from({ length: prompts }, () => prose.pick(home.notes))
    const code = path.join(String(home.env['XDG_CACHE_HOME']), 'agentm', 'code')
    const ask = async (/** @type {import('./prose.mjs').Page} */ note, /** @type {string} */ session) => {
      const input = { session_id: session, cwd: home.cwd, prompt: prose.promptAbout(note) }
      return (await cost([agentm, 'hook', 'prompt-submit'], home, { input })).cpuMs
    }
    /** @type {Record<'ours' | 'compiled again', number[]>} */
    const figures = { ours: [], 'compiled again': [] }
    for (const [i, note] of asked.entries()) {
      rmSync(code, { recursive: true, force: true })
      figures['compiled again'].push(await ask(note, `compiled-${i}`))
      figures.ours.push(await ask(note, `kept-${i}`))
    }
    return compare(figures, 'less')
  }
}

/** @param {Size} size @returns {Measure} */
export function sessionStart(size) {
  return async ({ repeats, scale }) => {
    const { home } = await readyHome(size)
    const rounds = Math.min(11, Math.max(3, Math.round(repeats * scale)))
    const costs = []
    for (let i = 0; i < rounds; i++)
      costs.push(
        await cost([agentm, 'hook', 'session-start'], home, { input: { session_id: `start-${i}`, cwd: home.cwd } }),
      )
    return { ours: median(costs.map(({ cpuMs }) => cpuMs)), counts: spent(costs) }
  }
}

/**
 * One after the other: what each cost, how many answered, and how many named the note that was asked for.
 * @param {readonly import('./prose.mjs').Page[]} asked
 * @param {(note: import('./prose.mjs').Page, i: number) => Promise<import('./measured-process.mjs').Cost>} ask
 */
async function inTurn(asked, ask) {
  const costs = []
  let [right, answered] = [0, 0]
  for (const [i, note] of asked.entries()) {
    const each = await ask(note, i)
    costs.push(each)
    if (each.said.includes(note.title)) right += 1
    if (each.said !== '' && !each.said.includes('memory was not searched')) answered += 1
  }
  return { costs, right, answered }
}

/** @param {readonly import('./measured-process.mjs').Cost[]} costs */
function spent(costs) {
  const cpu = costs.map(({ cpuMs }) => cpuMs)
  const walls = costs.map(({ wallMs }) => wallMs)
  const peak = Math.max(...costs.map(({ peakMb }) => peakMb))
  return {
    'CPU p50 ms': rounded(median(cpu)),
    'CPU p95 ms': rounded(p95(cpu)),
    'wall p50 ms': rounded(median(walls)),
    'wall p95 ms': rounded(p95(walls)),
    'peak MB': rounded(peak),
  }
}

const noNote = { id: '', title: 'nothing', text: 'nothing at all was written about this one.' }

/** @param {readonly number[]} figures */
function p95(figures = []) {
  return figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * 0.95) - 1] ?? Number.NaN
}

/** @param {number} figure */
function rounded(figure) {
  return Number(figure.toPrecision(3))
}
