/** Every view of the page in a real Chromium, on a log as it is after weeks: nothing on the console, no other host, no serious fault of access. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveView, type ViewServing } from '../../packages/viewer/dist/index.js'
import { openWorkspace, type Workspace } from '../../packages/workspace/dist/index.js'
import { findChromium } from '../site/browser.mjs'
import { generateStore } from '../viewer/generated-store.mjs'
import { faultsOf, openTab } from './chromium-tabs.ts'

const executablePath = findChromium()
const hostile =
  '"><img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script><svg onload=alert(1)> [x](javascript:alert(1)) \u202Eevil'

describe.skipIf(executablePath === undefined)('the page in Chromium', () => {
  let home = ''
  let browser: Browser
  let serving: ViewServing
  let workspace: Workspace
  let made: Awaited<ReturnType<typeof generateStore>>

  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'agentm-view-'))
    made = await generateStore({ home, owner: 'ada' })
    const place = { home, settings: { owner: 'ada' } }
    workspace = await openWorkspace(place)
    await planHostile(workspace)
    serving = await serveView({ place, write: true })
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  }, 600_000)

  afterAll(async () => {
    await browser?.close()
    await serving?.close()
    await workspace?.close()
    await rm(home, { recursive: true, force: true })
  })

  const open = async (look: { readonly width?: number; readonly dark?: boolean } = {}) =>
    openTab(browser, serving.url, look)

  const origin = () => `http://127.0.0.1:${serving.port}`

  async function show(tab: Page, address: string, sign: string): Promise<void> {
    await tab.goto(`${origin()}${address}`)
    await tab.waitForSelector(sign)
  }

  const views = () =>
    [
      ['the list', '/plans', '.plan-row .counts'],
      ['what failed', '/plans?show=failed', '.plan-row .counts'],
      ['a search that finds nothing', '/plans?q=nothing+of+that+name', '.empty'],
      ['a timeline', `/plans/${made.smallPlan}`, '.row .track i'],
      ['a graph', `/plans/${made.smallPlan}/graph`, '.node'],
      ['a large timeline', `/plans/${made.bigPlan}`, '.row .track i'],
      ['a large graph', `/plans/${made.bigPlan}/graph`, '.node'],
      ['a critical path', `/plans/${made.bigPlan}?path=critical`, '.row.is-critical'],
      ['hostile texts', '/plans/hostile', '.row'],
      ['hostile texts as a graph', '/plans/hostile/graph', '.node'],
      ['a plan that is not there', '/plans/nothing', '.empty'],
      ['a page that is not there', '/plans/a/b/c', '.empty'],
    ] as const

  it.each([
    { width: 360, dark: false },
    { width: 1280, dark: true },
  ])('shows every view $width px wide, dark: $dark, without a fault', async ({ width, dark }) => {
    const { tab, faults, close } = await open({ width, dark })
    const found: string[] = []
    for (const [what, address, sign] of views()) {
      await show(tab, address, sign)
      // The answer 404 of a plan that is not there is on the console, as it should be.
      const said = faults.splice(0).filter((fault) => !(what.includes('not there') && fault.includes('404')))
      found.push(
        ...said.map((fault) => `${what}: ${fault}`),
        ...(await faultsOf(tab)).map((fault) => `${what}: ${fault}`),
      )
    }
    await close()
    expect(found).toEqual([])
  })

  it('opens a step beside its plan, and closes it again with the keyboard', async () => {
    const { tab, faults, close } = await open()
    await show(tab, `/plans/${made.smallPlan}`, '.row .track i')
    await tab.focus('.row a')
    await tab.keyboard.press('Enter')
    await tab.waitForSelector('.panel .attempts')
    expect(new URL(tab.url()).searchParams.get('step')).toMatch(/^[0-9a-f]{32}$/)
    expect(await tab.evaluate('document.activeElement?.id')).toBe('step-title')
    expect(await faultsOf(tab)).toEqual([])
    await tab.keyboard.press('Escape')
    await tab.waitForSelector('.panel', { state: 'detached' })
    expect(faults).toEqual([])
    await close()
  })

  it('draws only the rows on the screen, wherever one scrolls to', async () => {
    const { tab, close } = await open()
    await show(tab, `/plans/${made.bigPlan}`, '.row .track i')
    expect(await tab.locator('.row').count()).toBeLessThan(100)
    await tab.evaluate('scrollTo(0, document.body.scrollHeight)')
    await tab.waitForSelector('.row:has-text("10000 of 10000")')
    expect(await tab.locator('.row').count()).toBeLessThan(100)
    await tab.fill('.toolbar input', 'merge the indexes')
    await tab.waitForSelector('.row:has-text("1 of 1")')
    await close()
  })

  it('runs nothing of what a plan, a step, a question or a tool says', async () => {
    const { tab, faults, close } = await open()
    for (const address of ['/plans', '/plans/hostile', '/plans/hostile/graph']) {
      await show(tab, address, address === '/plans' ? '.plan-row .counts' : '.row, .node')
      expect(await tab.locator('main').innerText()).toContain('onerror')
    }
    await show(tab, '/plans/hostile', '.row')
    for (const row of await tab.locator('.row a').all()) {
      await row.click()
      await tab.waitForSelector('.panel .changes', { state: 'attached' })
    }
    expect(await tab.evaluate(() => 'taken' in globalThis)).toBe(false)
    expect(await tab.locator('main img, main script, main iframe, main a[href^="javascript:"]').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  it('follows a plan without a reload, and answers, pauses and resumes it', async () => {
    const { tab, faults, close } = await open()
    const { harness } = await workspace.plans()
    const { steps } = await harness.createPlan({
      id: 'live',
      goal: 'Publish the tide tables',
      steps: [{ key: 'ask', title: 'Ask the harbour master', kind: 'approval' }],
    })
    await show(tab, '/plans/live', '.row')
    const { version } = await harness.startStep(steps['ask'] ?? '', 'somebody')
    const question = { id: 'q1', text: 'Publish the tables now?', allowed: ['approve', 'deny'] }
    await harness.askQuestion(steps['ask'] ?? '', { question, fence: version })
    await tab.click('.ask button:has-text("approve")')
    await tab.waitForSelector('.notice:has-text("Answered approve.")')
    await tab.waitForSelector('.ask', { state: 'detached' })
    expect((await harness.step(steps['ask'] ?? '')).payload.answers?.['q1']?.value).toBe('approve')
    await tab.click('button:has-text("Pause")')
    await tab.fill('dialog input', 'the tide is low')
    expect(await faultsOf(tab)).toEqual([])
    await tab.click('dialog button[type=submit]')
    await tab.waitForSelector('.banner.is-paused:has-text("ada: the tide is low")')
    await harness.resumePlan('live')
    await tab.waitForSelector('.banner.is-paused', { state: 'detached' })
    expect(faults).toEqual([])
    await close()
  })

  it('is not shown without the token', async () => {
    const context = await browser.newContext()
    const tab = await context.newPage()
    await tab.goto(`${origin()}/plans`)
    expect(await tab.locator('body').innerText()).toContain('open the address that agentm view printed')
    await context.close()
  })
})

/** Hostile text wherever a plan has text. */
async function planHostile(workspace: Workspace): Promise<void> {
  const { harness } = await workspace.plans()
  const { steps } = await harness.createPlan({
    id: 'hostile',
    goal: hostile,
    input: { [hostile]: hostile },
    steps: [
      { key: 'fails', title: hostile, kind: 'approval', input: { text: hostile } },
      { key: 'asks', title: `asks ${hostile}`, kind: 'approval', assignedAgent: hostile.slice(0, 60) },
      { key: 'ends', title: `ends ${hostile}`, kind: 'approval' },
    ],
  })
  const start = async (key: string) => harness.startStep(steps[key] ?? '', hostile)
  await harness.failStep(steps['fails'] ?? '', {
    failure: { cause: 'step', message: hostile, retryable: false },
    fence: (await start('fails')).version,
  })
  const question = { id: 'q', text: hostile, about: { tool: hostile } }
  await harness.askQuestion(steps['asks'] ?? '', { question, fence: (await start('asks')).version })
  await harness.completeStep(steps['ends'] ?? '', { result: { html: hostile }, fence: (await start('ends')).version })
  await harness.pausePlan('hostile', { reason: hostile, actor: hostile })
}
