/**
 * Running a plan again and comparing both, in a real Chromium: a plan of real commands, a real worker process, and the questions and pages as a
 * person sees them.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveView, type ViewServing } from '../../packages/viewer/dist/index.js'
import { openWorkspace, type Workspace } from '../../packages/workspace/dist/index.js'
import { findChromium } from '../site/browser.mjs'
import { faultsOf, openTab } from './chromium-tabs.ts'

const executablePath = findChromium()
const command = path.resolve('packages/cli/bin/agentm.mjs')
const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`
const hostile = '"><img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script>'

describe.skipIf(executablePath === undefined)('a plan that is run again in Chromium', () => {
  let home = ''
  let browser: Browser
  let serving: ViewServing
  let reading: ViewServing
  let workspace: Workspace
  let worker: ChildProcess
  const calls = () => path.join(home, 'work', 'calls')

  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'agentm-fork-'))
    const work = path.join(home, 'work')
    await mkdir(work)
    const place = { home, cwd: work, settings: { owner: 'ada' } }
    workspace = await openWorkspace(place)
    const { harness } = await workspace.plans()
    const sh = (key: string, script: string, dependsOn: readonly string[] = []) => ({
      key,
      title: key,
      kind: 'command',
      dependsOn,
      input: { command: 'sh', args: ['-c', `echo ${key} >> ${calls()}; ${script}`, hostile] },
    })
    await harness.createPlan({
      id: 'release',
      goal: `Release ${hostile}`,
      input: { tag: 'v1', key: secret },
      inputs: { tag: { type: 'string', description: 'What to publish.' }, key: { type: 'string' } },
      steps: [
        sh('fetch', 'echo fetched'),
        sh('notes', 'echo notes'),
        sh('build', 'echo built one', ['fetch']),
        sh('ship', 'echo shipped', ['build', 'notes']),
      ],
    })
    await harness.createPlan({ id: 'other', goal: 'Something else', steps: [sh('unlike', 'true')] })
    const env = { PATH: process.env['PATH'], HOME: home, AGENTM_HOME: home }
    for (const [setting, value] of Object.entries({ owner: 'ada', 'harness.kinds': 'command' }))
      execFileSync(process.execPath, [command, 'config', 'set', setting, value], { cwd: work, env })
    worker = spawn(process.execPath, [command, 'worker'], { cwd: work, env, stdio: 'ignore' })
    await harness.ended('release', { signal: AbortSignal.timeout(60_000) })
    serving = await serveView({ place, write: true })
    reading = await serveView({ place })
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  }, 120_000)

  afterAll(async () => {
    worker?.kill('SIGTERM')
    await browser?.close()
    await serving?.close()
    await reading?.close()
    await workspace?.close()
    await rm(home, { recursive: true, force: true })
  })

  async function open(served: ViewServing, { width = 1280, dark = false } = {}) {
    const { tab, faults, close } = await openTab(browser, served.url, { width, dark })
    const at = (address: string) => `http://127.0.0.1:${served.port}${address}`
    return { tab, faults, at, close }
  }

  it('asks once with the inputs, makes the plan, runs only what is new, and compares both', async () => {
    const { tab, faults, at, close } = await open(serving)
    await tab.goto(at('/plans/release'))
    await tab.click('.row a:has-text("build")')
    await tab.click('.panel button:has-text("Run again from here")')
    await tab.waitForSelector('dialog[open] textarea[name="input.tag"]')
    expect(await tab.locator('dialog[open]').innerText()).toContain('2 steps are carried over')
    expect(await tab.locator('dialog[open]').innerHTML()).not.toContain(secret)
    expect(await faultsOf(tab)).toEqual([])
    await picture(tab, 'fork-question')
    await tab.fill('dialog textarea[name="step.args"]', '"no list"')
    await tab.click('dialog[open] button[type=submit]')
    await tab.waitForSelector('dialog[open] [role=alert]:has-text("args")')
    faults.splice(0, 1)
    await tab.fill('dialog textarea[name="input.tag"]', 'v2')
    await tab.fill(
      'dialog textarea[name="step.args"]',
      JSON.stringify(['-c', `echo build >> ${calls()}; echo built two`]),
    )
    await tab.fill('dialog input', 'the first build was wrong')
    expect(await tab.locator('dialog .copy').innerText()).toContain('plan fork release --from')
    await tab.click('dialog[open] button[type=submit]')
    await tab.waitForURL(/\/plans\/[0-9a-f]{32}$/)
    await tab.waitForSelector('.plan-head .mark.is-done', { timeout: 30_000 })
    const fork = new URL(tab.url()).pathname.split('/').at(-1) ?? ''
    const { harness } = await workspace.plans()
    expect((await harness.plan(fork)).payload).toMatchObject({
      input: { tag: 'v2', key: secret },
      carried: 2,
      reason: 'the first build was wrong',
    })
    const ran = (await readFile(calls(), 'utf8'))
      .trim()
      .split('\n')
      .filter((key) => key !== 'unlike')
    expect(ran.toSorted()).toEqual(['build', 'build', 'fetch', 'notes', 'ship', 'ship'])
    await tab.click('.row a:has-text("fetch")')
    await tab.waitForSelector('.panel a:has-text("carried over from release")')
    await tab.keyboard.press('Escape')
    await tab.click('a.button:has-text("Compare with release")')
    await tab.waitForSelector('.compare-steps')
    expect(new URL(tab.url()).pathname).toBe(`/plans/release/compare/${fork}`)
    const shown = await tab.locator('.compare').innerText()
    for (const words of ['"v1"', '"v2"', 'built one', 'built two', 'the other one, run again'])
      expect(shown).toContain(words)
    expect(shown).not.toContain(secret)
    expect(await tab.locator('.compare-steps tbody th').allInnerTexts()).toEqual(['build'])
    await tab.click('button:has-text("Only what differs")')
    await tab.waitForSelector('.compare-steps tr:has-text("fetch")')
    expect(await tab.locator('.compare-steps tbody th').allInnerTexts()).toEqual(['fetch', 'notes', 'build', 'ship'])
    expect(await faultsOf(tab)).toEqual([])
    await picture(tab, 'compare')
    expect(await tab.locator('.plan-head .copy').innerText()).toContain(`plan diff release ${fork.slice(0, 8)}`)
    await tab.click('a.button:has-text("Swap sides")')
    await tab.waitForURL(`**/plans/${fork}/compare/release`)
    expect(faults).toEqual([])
    await close()
  })

  it('runs a plan again from the beginning, whatever was done before', async () => {
    const { tab, faults, at, close } = await open(serving, { width: 360, dark: true })
    await tab.goto(at('/plans/release'))
    await tab.click('.head-actions button:has-text("Run again from the beginning")')
    await tab.waitForSelector('dialog[open] textarea[name="input.tag"]')
    const asked = await tab.locator('dialog[open]').innerText()
    expect(asked).toContain('Run again from the beginning?')
    expect(asked).toContain('4 steps run anew, with their effects')
    expect(asked).not.toContain('carried over')
    expect(await tab.locator('dialog .copy').innerText()).not.toContain('--from')
    expect(await tab.locator('dialog[open]').innerHTML()).not.toContain(secret)
    expect(await faultsOf(tab)).toEqual([])
    await picture(tab, 'fork-from-the-beginning')
    const before = await fetched()
    await tab.fill('dialog textarea[name="input.tag"]', 'v3')
    await tab.click('dialog[open] button[type=submit]')
    await tab.waitForURL(/\/plans\/[0-9a-f]{32}$/)
    await tab.waitForSelector('.plan-head .mark.is-done', { timeout: 30_000 })
    const fork = new URL(tab.url()).pathname.split('/').at(-1) ?? ''
    const { harness } = await workspace.plans()
    expect((await harness.plan(fork)).payload).toMatchObject({
      forkedFrom: expect.stringContaining('release'),
      input: { tag: 'v3' },
    })
    expect(await fetched()).toBe(before + 1)
    expect(faults).toEqual([])
    await close()
  })

  const fetched = async () => (await readFile(calls(), 'utf8')).split('\n').filter((key) => key === 'fetch').length

  it('offers every other plan, and says when two are not related', async () => {
    const { tab, faults, at, close } = await open(serving, { width: 360, dark: true })
    await tab.goto(at('/plans/release/compare'))
    await tab.waitForSelector('.plan-goal')
    expect(await faultsOf(tab)).toEqual([])
    await tab.fill('input[type=search]', 'something else')
    await tab.click('.plan-goal:has-text("Something else")')
    await tab.waitForSelector('.compare .banner:has-text("not related")')
    expect(await faultsOf(tab)).toEqual([])
    expect(await tab.evaluate(() => 'taken' in globalThis)).toBe(false)
    expect(faults).toEqual([])
    await close()
  })

  it('only compares when it was started without --write', async () => {
    const { tab, at, close } = await open(reading)
    await tab.goto(at('/plans/release'))
    await tab.click('.row a:has-text("build")')
    await tab.waitForSelector('.panel .attempts')
    expect(await tab.locator('button:has-text("Run again from")').count()).toBe(0)
    expect(await tab.locator('a.button:has-text("Compare with…")').count()).toBe(1)
    await close()
  })
})

/** Kept where a person asked for it: FORK_PICTURES names a directory. */
async function picture(tab: Page, name: string): Promise<void> {
  const directory = process.env['FORK_PICTURES']
  if (directory !== undefined) await tab.screenshot({ path: path.join(directory, `${name}.png`), fullPage: true })
}
