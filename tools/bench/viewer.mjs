// @ts-check
/**
 * How long somebody waits for the page of `agentm view`, in Chromium, on a log of 300 plans, one of them with 10,000 steps, and on a store of
 * 20,000 notes: until the first content is painted, until it can be used, and until it answers to what is typed. And how much memory the server
 * holds then.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { guard } from '../guard.mjs'
import { openWorkspace } from '../../packages/workspace/dist/index.js'
import { findChromium } from '../site/browser.mjs'
import { generateMemory } from '../viewer/generated-memory.mjs'
import { generateStore } from '../viewer/generated-store.mjs'
import { interleave, compare, NotMeasurable } from './frame.mjs'
import { root } from '../run.mjs'

export const packages = ['@agentm/viewer']

/**
 * What we use of a tab.
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{ readonly tab: Page, readonly origin: string, readonly ask: (what: 'memory') => Promise<number> }} Opened
 */

/** @type {(() => Promise<unknown>)[]} */
const closing = []
// One store for all rows of a kind, so it outlives the directory of each.
const onPlans = opening(async (home) => {
  const plans = await generateStore({ home, owner: 'ada' })
  return { ...(await open(home)), plans }
})
const onNotes = opening(async (home) => {
  const { directory, place } = await generateMemory({ home, owner: 'ada' })
  // A store that grew over years has its index; the page is not the first to look.
  const workspace = await openWorkspace(place)
  await (await workspace.memory()).notes()
  await workspace.close()
  return open(home, directory)
})

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  row('V1', 'list of 300 plans: first paint', {
    on: onPlans,
    atMost: 300,
    look: async ({ tab, origin }) => firstPaint(tab, `${origin}/plans`),
  }),
  row('V2', 'list of 300 plans: every row there', {
    on: onPlans,
    look: async ({ tab, origin }) => until(tab, `${origin}/plans`, '.plan-row .counts'),
  }),
  row('V3', 'plan of 10,000 steps: first paint', {
    on: onPlans,
    atMost: 300,
    look: async ({ tab, origin, plans }) => firstPaint(tab, `${origin}/plans/${plans.bigPlan}`),
  }),
  row('V4', 'plan of 10,000 steps: its bars there', {
    on: onPlans,
    look: async ({ tab, origin, plans }) => until(tab, `${origin}/plans/${plans.bigPlan}`, '.row .track i'),
  }),
  row('V5', 'plan of 10,000 steps: a letter typed into the search', {
    on: onPlans,
    atMost: 100,
    look: async ({ tab, origin, plans }) => {
      await until(tab, `${origin}/plans/${plans.bigPlan}`, '.row .track i')
      return typed(tab)
    },
  }),
  row('V6', 'plan of 10,000 steps: the server’s memory', {
    on: onPlans,
    atMost: 150,
    unit: 'MB',
    look: async ({ tab, origin, plans, ask }) => {
      await until(tab, `${origin}/plans/${plans.bigPlan}`, '.row .track i')
      return ask('memory')
    },
  }),
  row('V7', 'list of 20,000 notes: first paint', {
    on: onNotes,
    atMost: 300,
    look: async ({ tab, origin }) => {
      const painted = await firstPaint(tab, `${origin}/memory`)
      await tab.waitForSelector('.note-title')
      return painted
    },
  }),
  row('V8', '20,000 notes, listed, chosen from and asked: the server’s memory', {
    on: onNotes,
    atMost: 150,
    unit: 'MB',
    look: async ({ tab, origin, ask }) => {
      await until(tab, `${origin}/memory`, '.note-title')
      await until(tab, `${origin}/memory?kind=decision&tag=ops`, '.note-title')
      await until(tab, `${origin}/memory?q=when+does+the+staging+database+restart`, '.result mark')
      return ask('memory')
    },
  }),
]

export async function close() {
  for (const end of closing.splice(0).toReversed()) await end()
}

/**
 * @template {Opened} O
 * @param {string} id @param {string} what
 * @param {{ readonly on: () => Promise<O>, readonly look: (opened: O) => Promise<number>, readonly atMost?: number, readonly unit?: string }} how
 * @returns {import('./frame.mjs').Case}
 */
function row(id, what, { on, look, atMost, unit = 'ms' }) {
  return {
    id,
    what,
    unit,
    better: 'less',
    goals: atMost === undefined ? [] : [{ of: 'value', atMost }],
    async measure({ repeats, scale }) {
      const page = await on()
      const rounds = Math.max(3, Math.round((repeats * scale) / 3))
      return compare(await interleave({ ours: () => look(page) }, rounds), 'less')
    },
  }
}

/**
 * Opened with the first row that asks, in a directory of its own.
 * @template O @param {(home: string) => Promise<O>} start @returns {() => Promise<O>}
 */
function opening(start) {
  /** @type {Promise<O> | undefined} */
  let opened
  return () =>
    (opened ??= (async () => {
      const home = await mkdtemp(path.join(os.tmpdir(), 'agentm-bench-view-'))
      closing.push(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
      return start(home)
    })())
}

/** @param {string} home @param {readonly string[]} directory @returns {Promise<Opened>} */
async function open(home, ...directory) {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new NotMeasurable('there is no Chromium; install one, or name it in CHROMIUM')
  const { chromium } = await import('playwright-core')
  const server = fork(path.join(root, 'tools/viewer/serve-page.mjs'), [home, ...directory])
  guard(server)
  closing.push(async () => {
    const ended = once(server, 'exit')
    server.kill()
    await ended
  })
  const [url] = /** @type {[string]} */ (await once(server, 'message'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  closing.push(() => browser.close())
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await tab.goto(url)
  return {
    tab,
    origin: new URL(url).origin,
    async ask(what) {
      server.send(what)
      const [answer] = /** @type {[number]} */ (await once(server, 'message'))
      return answer
    },
  }
}

/** From the start of the navigation to the first content, as the browser counts it. @param {Page} tab @param {string} address */
async function firstPaint(tab, address) {
  await tab.goto(address)
  return tab.evaluate(async () => {
    for (;;) {
      const [entry] = performance.getEntriesByName('first-contentful-paint')
      if (entry !== undefined) return entry.startTime
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })
}

/** @param {Page} tab @param {string} address @param {string} sign */
async function until(tab, address, sign) {
  await tab.goto(address, { waitUntil: 'commit' })
  await tab.waitForSelector(sign)
  return tab.evaluate(() => performance.now())
}

/** From the key to the frame after it. @param {Page} tab */
async function typed(tab) {
  return tab.evaluate(async () => {
    const { document, requestAnimationFrame, Event } = /** @type {any} */ (globalThis)
    const input = document.querySelector('.toolbar input')
    const started = performance.now()
    input.value = 'shelf 9'
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
    return performance.now() - started
  })
}
