// @ts-check
/**
 * Records the moving picture of the README: a plan on the page of `agentm view` while its worker is killed and another takes over.
 *
 *     npm run build && node tools/viewer/record-takeover.mjs [FILE]
 *
 * FILE is docs/view.gif unless it is named. The plan is real, and so are the workers, the kill -9 and the page, in Chromium. Only the line at
 * the bottom of the picture is written by this program.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import gifenc from 'gifenc'
import { chromium } from 'playwright-core'
import { PNG } from 'pngjs'
import { findChromium } from '../site/browser.mjs'
import { root } from '../run.mjs'

const size = { width: 1000, height: 800 }
const frameMs = 250
const colours = 64
const agentm = path.join(root, 'packages/cli/bin/agentm.mjs')
const to = path.resolve(process.argv[2] ?? path.join(root, 'docs/view.gif'))

/** @param {string} key @param {string} title @param {number} seconds @param {readonly string[]} [after] */
const step = (key, title, seconds, after = []) => ({
  key,
  title,
  kind: 'command',
  ...(after.length > 0 && { dependsOn: after }),
  input: { command: 'sleep', args: [`${seconds}`] },
})
const plan = {
  goal: 'Ship the harbour dashboard',
  steps: [
    step('read', 'Read the tickets and the change log', 1.2),
    step('schema', 'Design the schema of the new tables', 1.4, ['read']),
    step('api', 'Write the endpoints for ships and berths', 3.2, ['schema']),
    step('ui', 'Draw the berth map with live positions', 2.4, ['schema']),
    step('tests', 'Run the whole test suite', 1.6, ['api', 'ui']),
    step('docs', 'Write the page for harbour masters', 2, ['ui']),
    step('publish', 'Publish, and tell the team', 1, ['tests', 'docs']),
  ],
}

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('there is no Chromium here. On Debian: apt-get install chromium')
const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-record-'))
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
try {
  await record()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
}

async function record() {
  await writeFile(path.join(scratch, 'plan.json'), JSON.stringify(plan))
  await ran('config', 'set', 'owner', 'ada')
  await ran('config', 'set', 'harness.kinds', 'command')
  await ran('plan', 'new', '--steps', 'plan.json', '--id', 'harbour')
  const page = start('view', '--no-open')
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  try {
    const tab = await browser.newPage({ viewport: size, colorScheme: 'dark', reducedMotion: 'reduce' })
    await tab.goto(await addressOf(page))
    await tab.goto(new URL('/plans/harbour', tab.url()).href)
    await tab.waitForSelector('.row')
    await play(tab)
  } finally {
    await browser.close()
  }
}

/** @param {import('playwright-core').Page} tab */
async function play(tab) {
  const first = start('worker')
  const film = filmOf(tab)
  await say(tab, `worker ${first.pid} runs the plan`)
  await tab.locator('.row', { hasText: 'Write the endpoints' }).locator('.bar-running').waitFor()
  await sleep(1_200)
  first.kill('SIGKILL')
  await say(tab, `kill -9 ${first.pid}`)
  await sleep(1_500)
  const second = start('worker')
  await say(tab, `worker ${second.pid} takes over`)
  await tab.locator('.row', { hasText: 'Publish, and' }).locator('.bar-ran-done').waitFor({ timeout: 60_000 })
  await say(tab, 'done; what was done before the kill was not done again')
  await sleep(1_800)
  const shots = await film.end()
  await writeFile(to, gifOf(shots))
  console.log(`${path.relative(process.cwd(), to)}: ${shots.length} pictures`)
}

/** Takes a picture now and then, until it is told to end. @param {import('playwright-core').Page} tab */
function filmOf(tab) {
  const ending = new AbortController()
  const filming = (async () => {
    /** @type {{ readonly png: Buffer, readonly at: number }[]} */
    const shots = []
    while (!ending.signal.aborted) {
      const at = performance.now()
      shots.push({ png: await tab.screenshot(), at })
      await sleep(Math.max(0, at + frameMs - performance.now()))
    }
    return shots
  })()
  // A film that breaks is known when it ends.
  filming.catch(() => {})
  return {
    async end() {
      ending.abort()
      return filming
    },
  }
}

/** A picture that equals the one before makes that one last longer. @param {readonly { readonly png: Buffer, readonly at: number }[]} shots */
function gifOf(shots) {
  const gif = gifenc.GIFEncoder()
  const pictures = shots.map(({ png, at }) => ({ pixels: new Uint8Array(PNG.sync.read(png).data), at }))
  const different = pictures.filter(
    ({ pixels }, i) => i === 0 || !Buffer.from(pixels).equals(pictures[i - 1]?.pixels ?? Buffer.alloc(0)),
  )
  // One palette of everything, so that what does not move does not flicker.
  const sampled = Buffer.concat(
    [0, 0.3, 0.6, 0.99].map((part) => different[Math.floor(part * different.length)]?.pixels ?? Buffer.alloc(0)),
  )
  const palette = gifenc.quantize(new Uint8Array(sampled), colours)
  const last = shots.at(-1)?.at ?? 0
  for (const [i, { pixels, at }] of different.entries()) {
    const until = different[i + 1]?.at ?? last + 2_500
    gif.writeFrame(gifenc.applyPalette(pixels, palette), size.width, size.height, {
      ...(i === 0 && { palette }),
      delay: Math.round(until - at),
    })
  }
  gif.finish()
  return gif.bytes()
}

/** A line at the bottom of the picture, which is not part of the page. @param {import('playwright-core').Page} tab @param {string} text */
async function say(tab, text) {
  await tab.evaluate((words) => {
    const { document } = /** @type {any} */ (globalThis)
    const line = document.querySelector('#said') ?? document.body.appendChild(document.createElement('div'))
    line.id = 'said'
    line.textContent = `$ ${words}`
    const style = {
      position: 'fixed',
      inset: 'auto 0 0 0',
      padding: '14px 22px',
      font: '15px ui-monospace, monospace',
      color: '#f4e9d0',
      background: '#16130f',
      zIndex: '99',
    }
    Object.assign(line.style, style)
  }, text)
}

/** @param {readonly string[]} words */
function start(...words) {
  const child = spawn(process.execPath, [agentm, ...words], {
    cwd: scratch,
    env: { PATH: process.env['PATH'], HOME: scratch, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.add(child)
  return child
}

/** @param {readonly string[]} words */
async function ran(...words) {
  const child = start(...words)
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`agentm ${words.join(' ')} ended with ${code}: ${said}`)
}

/** @param {import('node:child_process').ChildProcess} page @returns {Promise<string>} */
async function addressOf(page) {
  let said = ''
  for await (const chunk of page.stderr ?? []) {
    said += chunk
    const address = /http:\S+token=\S+/.exec(said)?.[0]
    if (address !== undefined) return address
  }
  throw new Error(`agentm view did not start: ${said}`)
}
