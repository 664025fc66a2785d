/** Sessions and health in a real Chromium, on a log as it is after months: nothing on the console, no serious fault of access, nothing that runs. */
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveView, type ViewServing } from '../../packages/viewer/dist/index.js'
import { openWorkspace } from '../../packages/workspace/dist/index.js'
import { findChromium } from '../site/browser.mjs'
import { generateSessions, writeStoredSession } from '../viewer/generated-sessions.mjs'
import { generateStore } from '../viewer/generated-store.mjs'
import { faultsOf, openTab } from './chromium-tabs.ts'

const executablePath = findChromium()
const hostile =
  '"><img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script><svg onload=alert(1)> [x](javascript:alert(1)) \u202Eevil'

describe.skipIf(executablePath === undefined)('sessions and health in Chromium', () => {
  let home = ''
  let agents = ''
  let browser: Browser
  let serving: ViewServing
  let made: Awaited<ReturnType<typeof generateSessions>>

  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'agentm-view-'))
    agents = await mkdtemp(path.join(os.tmpdir(), 'agentm-agents-'))
    await generateStore({ home, owner: 'ada', plans: 12, bigSteps: 0 })
    made = await generateSessions({ home, owner: 'ada' })
    await writeStoredSession(agents)
    await writeHostileSession(agents)
    const place = { home, settings: { owner: 'ada', 'capture.plain': agents } }
    const workspace = await openWorkspace(place)
    await (await workspace.capture()).run({ hosts: ['plain'], ended: ['stored/tide-tables', 'hostile'] })
    await workspace.close()
    serving = await serveView({ place })
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  }, 600_000)

  afterAll(async () => {
    await browser?.close()
    await serving?.close()
    await rm(home, { recursive: true, force: true })
    await rm(agents, { recursive: true, force: true })
  })

  const address = (view: string) => `http://127.0.0.1:${serving.port}${view}`

  async function show(tab: Page, view: string, sign: string): Promise<void> {
    await tab.goto(address(view))
    await tab.waitForSelector(sign)
  }

  const views = () =>
    [
      ['the list', '/sessions', '.session-row'],
      ['a search', '/sessions?q=spring+tide', '.session-row mark'],
      ['a search that finds nothing', '/sessions?q=nothing+of+that+name', '.empty'],
      ['one host', '/sessions?host=codex&time=month', '.session-row'],
      ['a session', `/sessions/${made.smallSession}`, '.turn'],
      ['a session of a thousand turns', `/sessions/${made.bigSession}`, '.turn-bar'],
      ['what its agent recorded', '/sessions/stored%2Ftide-tables', '.turn'],
      ['hostile texts', '/sessions/hostile', '.turn'],
      ['a session that is not there', '/sessions/nothing', '.empty'],
      ['health', '/health', '.check'],
    ] as const

  it.each([
    { width: 360, dark: false },
    { width: 1280, dark: true },
    { width: 1280, dark: false },
    { width: 360, dark: true },
  ])('shows every view $width px wide, dark: $dark, without a fault', async ({ width, dark }) => {
    const { tab, faults, close } = await openTab(browser, serving.url, { width, dark })
    const found: string[] = []
    for (const [what, view, sign] of views()) {
      await show(tab, view, sign)
      for (const entries of (await tab.locator('.entries > summary').all()).slice(0, 2)) {
        await entries.click()
        await tab.waitForSelector('.entries[open] .entry-list, .entries[open] > .meta')
      }
      // The answer 404 of a session that is not there is on the console, as it should be.
      const said = faults.splice(0).filter((fault) => !(what.includes('not there') && fault.includes('404')))
      found.push(...[...said, ...(await faultsOf(tab))].map((fault) => `${what}: ${fault}`))
    }
    await close()
    expect(found).toEqual([])
  })

  it('goes from the list to a session, to one of its turns, and to everything in it', async () => {
    const { tab, faults, close } = await openTab(browser, serving.url)
    await show(tab, '/sessions', '.session-row')
    await tab.fill('.search input', 'march table')
    await tab.waitForSelector('.session-row mark')
    await tab.click('.session-row .plan-goal:has-text("Correct the tide table")')
    await tab.waitForSelector('.turn')
    await tab.click('.turn:first-child .entries summary')
    await tab.waitForSelector('.entry.is-compaction')
    expect(await tab.locator('.entry.has-failed').innerText()).toContain('failed')
    await tab.click('.turn-bar >> nth=1')
    await tab.waitForSelector('.turn.is-chosen:has-text("April")')
    expect(new URL(tab.url()).searchParams.get('turn')).toMatch(/^[0-9a-f]{32}$/)
    expect(faults).toEqual([])
    await close()
  })

  it('opens a turn in the middle of a long session by its address, and reads on from there', async () => {
    const { tab, faults, close } = await openTab(browser, serving.url)
    await show(tab, `/sessions/${made.bigSession}`, '.turn-bar')
    const bar = await tab.locator('.turn-bar').nth(640).getAttribute('href')
    await show(tab, bar ?? '', '.turn.is-chosen')
    expect(await tab.locator('.turn').count()).toBe(100)
    await tab.click('button:has-text("earlier turn")')
    await expect.poll(() => tab.locator('.turn').count()).toBe(200)
    await tab.click('button:has-text("more turn")')
    await expect.poll(() => tab.locator('.turn').count()).toBe(300)
    expect(faults).toEqual([])
    await close()
  })

  it('runs nothing of what a prompt, a tool, a thought or an agent says', async () => {
    const { tab, faults, close } = await openTab(browser, serving.url)
    await show(tab, '/sessions?q=onerror', '.session-row mark')
    await show(tab, '/sessions/hostile', '.turn')
    for (const fold of await tab.locator('.did summary').all()) await fold.click()
    await tab.click('.entries summary')
    await tab.waitForSelector('.entry.is-compaction')
    for (const fold of await tab.locator('.entry summary').all()) await fold.click()
    expect(await tab.locator('.entry-list').innerText()).toContain('onerror')
    expect(await tab.evaluate(() => 'taken' in globalThis)).toBe(false)
    expect(await tab.locator('main img, main script, main iframe, main a[href^="javascript:"]').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  it('says what is wrong with its command, and checks everything when it is asked to', async () => {
    const { tab, faults, close } = await openTab(browser, serving.url)
    await show(tab, '/health', '.check')
    expect(await tab.locator('.meter:has-text("Dead letters") dd').innerText()).toMatch(/^\d+$/)
    expect(await tab.locator('.help-line .copy code').first().innerText()).toMatch(/^(?:agentm|chmod) /)
    expect(await tab.locator('.growth li').count()).toBe(14)
    await tab.click('button:has-text("Check everything")')
    await tab.waitForSelector('.check h3:has-text("model")')
    expect(await faultsOf(tab)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})

/** Hostile text wherever a session has text. */
async function writeHostileSession(agents: string): Promise<void> {
  const lines = [
    { type: 'session', branch: hostile },
    { type: 'prompt', text: hostile },
    { type: 'context', text: hostile },
    { type: 'thought', text: hostile },
    {
      type: 'call',
      id: 'c1',
      tool: hostile,
      input: { [hostile]: hostile, command: hostile },
      use: { does: 'command', command: hostile },
    },
    { type: 'result', call: 'c1', text: `Error: ${hostile}`, exitCode: 1 },
    { type: 'call', id: 'c2', tool: 'edit', input: {}, use: { does: 'write', files: [hostile] } },
    { type: 'compaction', summary: hostile },
    { type: 'error', text: hostile },
    { type: 'usage', model: hostile, inputTokens: 1, outputTokens: 1 },
    { type: 'reply', text: `We decided: ${hostile}` },
  ]
  await appendFile(path.join(agents, 'hostile.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
