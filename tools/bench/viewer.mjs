// @ts-check
/**
 * How long somebody waits for the page of `agentm view`, in Chromium, on a log of 300 plans of which one has 10,000 steps: until the first
 * content is painted, until it can be used, and until it answers to what is typed. And how much memory the server holds then.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { guard } from '../guard.mjs'
import { findChromium } from '../site/browser.mjs'
import { generateStore } from '../viewer/generated-store.mjs'
import { interleave, compare, NotMeasurable } from './frame.mjs'
import { root } from '../run.mjs'

export const packages = ['@agentm/viewer']

/**
 * What we use of a tab.
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{ readonly tab: Page, readonly origin: string, readonly plans: { readonly bigPlan: string, readonly smallPlan: string },
 *   readonly ask: (what: 'memory') => Promise<number> }} Opened
 */

/** @type {readonly (() => Promise<unknown>)[]} */
let closing = []
/** @type {Promise<Opened> | undefined} */
let opened

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  row('V1', 'list of 300 plans: first paint', 300, async ({ tab, origin }) => firstPaint(tab, `${origin}/plans`)),
  row('V2', 'list of 300 plans: every row there', undefined, async ({ tab, origin }) =>
    until(tab, `${origin}/plans`, '.plan-row .counts'),
  ),
  row('V3', 'plan of 10,000 steps: first paint', 300, async ({ tab, origin, plans }) =>
    firstPaint(tab, `${origin}/plans/${plans.bigPlan}`),
  ),
  row('V4', 'plan of 10,000 steps: its bars there', undefined, async ({ tab, origin, plans }) =>
    until(tab, `${origin}/plans/${plans.bigPlan}`, '.row .track i'),
  ),
  row('V5', 'plan of 10,000 steps: a letter typed into the search', 100, async ({ tab, origin, plans }) => {
    await until(tab, `${origin}/plans/${plans.bigPlan}`, '.row .track i')
    return typed(tab)
  }),
  row('V6', 'plan of 10,000 steps: the server’s memory', 150, async ({ ask }) => ask('memory'), 'MB'),
]

export async function close() {
  await opened?.catch(() => undefined)
  for (const end of closing) await end()
  closing = []
}

/**
 * @param {string} id @param {string} what @param {number | undefined} atMost
 * @param {(opened: Opened) => Promise<number>} look @returns {import('./frame.mjs').Case}
 */
function row(id, what, atMost, look, unit = 'ms') {
  return {
    id,
    what,
    unit,
    better: 'less',
    goals: atMost === undefined ? [] : [{ of: 'value', atMost }],
    async measure({ repeats, scale }) {
      // One log for all rows, so it outlives the directory of each.
      opened ??= mkdtemp(path.join(os.tmpdir(), 'agentm-bench-view-')).then(open)
      const page = await opened
      const rounds = Math.max(3, Math.round((repeats * scale) / 3))
      return compare(await interleave({ ours: () => look(page) }, rounds), 'less')
    },
  }
}

/** @param {string} home @returns {Promise<Opened>} */
async function open(home) {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new NotMeasurable('there is no Chromium; install one, or name it in CHROMIUM')
  const { chromium } = await import('playwright-core')
  const plans = await generateStore({ home, owner: 'ada' })
  const server = fork(path.join(root, 'tools/viewer/serve-page.mjs'), [home])
  guard(server)
  const [url] = /** @type {[string]} */ (await once(server, 'message'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  closing = [
    () => browser.close(),
    async () => {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
    () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  ]
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await tab.goto(url)
  return {
    tab,
    plans,
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
