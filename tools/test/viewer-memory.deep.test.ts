/** Memory and beliefs in a real Chromium, on 20,000 notes: every view, every change, and notes that were written to do harm. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveView, type ViewServing } from '../../packages/viewer/dist/index.js'
import { openWorkspace, type Workspace } from '../../packages/workspace/dist/index.js'
import { findChromium } from '../site/browser.mjs'
import { generateMemory } from '../viewer/generated-memory.mjs'
import { faultsOf, openTab } from './chromium-tabs.ts'

const executablePath = findChromium()
const hostile = [
  '"><img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script><svg onload=alert(1)>',
  '[x](javascript:globalThis.taken=1) [y](data:text/html,<script>alert(1)</script>) [z]: javascript:alert(1)',
  '![i](https://evil.example/pixel.png) <iframe src="https://evil.example"></iframe> <a href="javascript:alert(1)">b</a>',
  '<style>*{display:none}</style> <base href="https://evil.example"> <form action="https://evil.example"><input name=q></form>',
  '`<img src=x onerror=alert(1)>` **<b onmouseover=alert(1)>** <https://evil.example> &lt;script&gt; \u202Eevil',
  `${'>'.repeat(30)} deep`,
].join('\n\n')

describe.skipIf(executablePath === undefined)('memory and beliefs in Chromium', () => {
  let home = ''
  let browser: Browser
  let serving: ViewServing
  let reading: ViewServing
  let workspace: Workspace
  let made: Awaited<ReturnType<typeof generateMemory>>

  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'agentm-view-'))
    made = await generateMemory({ home, owner: 'ada' })
    workspace = await openWorkspace(made.place)
    serving = await serveView({ place: made.place, write: true })
    reading = await serveView({ place: made.place })
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
    // The index is made once, for every test.
    await (await workspace.memory()).notes()
  }, 600_000)

  afterAll(async () => {
    await browser?.close()
    await serving?.close()
    await reading?.close()
    await workspace?.close()
    await rm(home, { recursive: true, force: true })
  })

  /** A tab that has the cookie, and what it said. */
  async function open({ width = 1280, dark = false, at = serving } = {}) {
    const { tab, faults, close } = await openTab(browser, at.url, { width, dark })
    const show = async (address: string, sign: string) => {
      await tab.goto(`${originOf(at)}${address}`)
      await tab.waitForSelector(sign)
    }
    return { tab, faults, show, close }
  }

  const views = () =>
    [
      ['the list', '/memory', '.note-title'],
      ['what is chosen', '/memory?kind=decision&tag=ops&newer=1y', '.note-title'],
      ['nothing that fits', '/memory?kind=nothing', '.empty'],
      ['forgotten notes', '/memory?status=deleted', '.empty, .note-title'],
      ['an answer', '/memory?q=when+does+the+staging+database+restart', '.result mark'],
      ['no answer', '/memory?q=zzyzx+qwrtpl', '.empty, .result'],
      ['a note', noteAddress(made.guide), '.markdown table'],
      ['its file', `${noteAddress(made.guide)}?view=file`, '.note .value'],
      ['its history', `${noteAddress(made.guide)}?view=history`, '.diff b'],
      ['its form', `${noteAddress(made.guide)}?view=edit`, 'textarea'],
      ['a new note', '/memory/new', 'textarea'],
      ['conflict copies', '/memory/conflicts', '.pairs a'],
      ['a conflict copy', `/memory/conflicts/${made.copy.split('/').map(encodeURIComponent).join('/')}`, '.sides'],
      ['a note that is not there', '/memory/note/personal/fact/nothing.md', '.empty'],
      ['beliefs', '/beliefs', '.belief-row'],
      ['what waits', '/beliefs?show=waiting', '.belief-row'],
      ['what is forgotten', '/beliefs?show=forgotten', '.belief-row'],
      ['a belief', `/beliefs/${made.story}`, '.chain blockquote'],
      ['a lesson', `/beliefs/${made.lesson}`, '.chain blockquote'],
      ['a belief that is not there', '/beliefs/nothing', '.empty'],
    ] as const

  it.each([
    { width: 360, dark: false },
    { width: 360, dark: true },
    { width: 1280, dark: false },
    { width: 1280, dark: true },
  ])('shows every view $width px wide, dark: $dark, without a fault', async ({ width, dark }) => {
    const { tab, faults, show, close } = await open({ width, dark })
    const found: string[] = []
    for (const [what, address, sign] of views()) {
      await show(address, sign)
      const said = faults.splice(0).filter((fault) => !(what.includes('not there') && fault.includes('404')))
      found.push(
        ...said.map((fault) => `${what}: ${fault}`),
        ...(await faultsOf(tab)).map((fault) => `${what}: ${fault}`),
      )
    }
    await close()
    expect(found).toEqual([])
  })

  it('offers no change where it only reads, and says how to get there', async () => {
    const { tab, faults, show, close } = await open({ at: reading })
    await show(noteAddress(made.guide), '.markdown')
    expect(await tab.locator('.head-actions .button').count()).toBe(0)
    await show(`${noteAddress(made.guide)}?view=edit`, '.markdown')
    await show('/memory/new', '.empty:has-text("This page only reads")')
    await show(`/beliefs/${made.story}`, '.chain')
    expect(await tab.locator('.head-actions .button').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  it('draws only the notes on the screen, wherever one scrolls to', async () => {
    const { tab, faults, show, close } = await open()
    await show('/memory', '.note-title')
    expect(await tab.locator('.notes-count').innerText()).toMatch(/^20,00\d notes$/)
    for (const share of [0.5, 1]) {
      await tab.evaluate(`scrollTo(0, document.body.scrollHeight * ${share})`)
      await expect.poll(() => tab.locator('.note-row .note-title').count()).toBeGreaterThan(8)
      await expect.poll(() => tab.locator('.note-row:not(:has(.note-title))').count()).toBe(0)
      expect(await tab.locator('.note-row').count()).toBeLessThan(80)
    }
    expect(await tab.locator('.note-row').last().getAttribute('aria-posinset')).toMatch(/^200\d\d$/)
    expect(faults).toEqual([])
    await close()
  })

  it('says in words why an answer stands where it stands', async () => {
    const { tab, faults, show, close } = await open()
    await show('/memory', '.note-title')
    await tab.keyboard.press('/')
    await tab.keyboard.type('when does the staging database restart')
    await tab.waitForSelector('.result mark:has-text("restarts at 04:00 UTC")')
    expect(new URL(tab.url()).searchParams.get('q')).toBe('when does the staging database restart')
    await tab.locator('.result').first().locator('summary').click()
    const words = await tab.locator('.result').first().innerText()
    expect(words).toMatch(/\d\d % likely to answer/)
    expect(words).toMatch(/In the title or the marked passage: .*“staging”/)
    expect(words).toContain('Meaning.')
    expect(words).toContain('Age.')
    await tab.click('.result h2 a')
    await tab.waitForSelector('.note .markdown')
    expect(faults).toEqual([])
    await close()
  })

  it('runs nothing, loads nothing and leads nowhere that a note or a belief says', async () => {
    const memory = await workspace.memory()
    const { key } = await memory.save({
      kind: 'fact',
      title: `hostile ${hostile.slice(0, 90)}`,
      text: hostile,
      by: 'agent',
    })
    await memory.supersede(key, { text: `${hostile}\n\nmore`, reason: hostile.slice(0, 200), by: 'person' })
    const { log } = await workspace.log()
    const content = hostile.replaceAll(/\s+/g, ' ').slice(0, 480)
    const payload = {
      ownerUserId: 'ada',
      content,
      sourceEpisodes: [],
      confidence: 0.99,
      lastReinforced: new Date().toISOString(),
    }
    await log.append(
      [{ concept: 'v1:harness:semanticMemory', id: 'bad00001', payload, mutation: hostile.slice(0, 60) }],
      {
        owner: 'ada',
        actor: 'test',
        partition: '_global',
      },
    )
    const { tab, faults, show, close } = await open()
    for (const [address, sign] of [
      [noteAddress(key), '.markdown'],
      [`${noteAddress(key)}?view=file`, '.value'],
      [`${noteAddress(key)}?view=history`, '.diff'],
      [`${noteAddress(key)}?view=edit`, '.preview .markdown'],
      ['/memory?q=onerror+taken+evil+iframe', '.result'],
      ['/beliefs', '.belief-row:has-text("onerror")'],
      ['/beliefs/bad00001', '.belief-changes'],
    ] as const) {
      await show(address, sign)
      const main = tab.locator('main')
      const inside =
        'img, script, iframe, style, base, [onerror], [onload], [onmouseover], a[href^="javascript:" i], a[href^="data:" i]'
      expect(await main.locator(inside).count()).toBe(0)
      expect(await main.innerHTML()).toContain('onerror')
    }
    await show(noteAddress(key), '.markdown')
    expect(await tab.locator('.markdown form, .markdown input').count()).toBe(0)
    const rels = await tab.locator('.markdown a').evaluateAll((links) => links.map((link) => link.getAttribute('rel')))
    expect(rels.length).toBeGreaterThan(0)
    expect(new Set(rels)).toEqual(new Set(['noopener noreferrer nofollow']))
    expect(await tab.evaluate(() => 'taken' in globalThis)).toBe(false)
    expect(faults).toEqual([])
    await memory.forget(key, { by: 'person' })
    await close()
  })

  it('saves a note, corrects it, replaces it, forgets it and brings it back', async () => {
    const { tab, faults, show, close } = await open()
    const memory = await workspace.memory()
    await show('/memory/new', 'textarea')
    await tab.fill('textarea', 'The crane stops at **wind** force 8.')
    await tab.waitForSelector('.preview strong:has-text("wind")')
    await tab.fill('label:has-text("Tags") input', 'ops #safety')
    // What was typed is there after a wrong click.
    await tab.goto(`${originOf(serving)}/beliefs`)
    await show('/memory/new', '.preview strong:has-text("wind")')
    await tab.click('button:has-text("Save note")')
    await tab.waitForSelector('.note h1')
    const key = decodeURIComponent(new URL(tab.url()).pathname.replace('/memory/note/', ''))
    expect(await memory.read(key)).toMatchObject({ tags: ['ops', 'safety'], project: 'harbour', writtenBy: 'person' })

    await tab.click('.head-actions a:has-text("Edit")')
    await tab.waitForSelector('textarea')
    await tab.fill('textarea', 'The crane stops at **wind** force 7.')
    await tab.click('button:has-text("Save")')
    await tab.waitForSelector('.note .markdown:has-text("force 7")')
    expect((await memory.history(key)).length).toBe(1)

    await tab.click('.head-actions a:has-text("Edit")')
    await tab.waitForSelector('textarea')
    await tab.fill('textarea', 'The crane stops at **wind** force 6.')
    await tab.click('.how label:has-text("Replacing it")')
    expect(await tab.locator('button[type=submit]').isDisabled()).toBe(true)
    await tab.fill('.how input[type=text]', 'a new rule of the harbour')
    await tab.click('button:has-text("Replace the note")')
    await tab.waitForSelector('.note .markdown:has-text("force 6")')
    await tab.click('.tabs a:has-text("History")')
    await tab.waitForSelector('.version:has-text("Changed because: a new rule of the harbour") .diff b')

    await tab.click('.head-actions button:has-text("Forget")')
    await tab.waitForSelector('dialog[open]')
    expect(await faultsOf(tab)).toEqual([])
    await tab.fill('dialog input', 'the crane was sold')
    await tab.click('dialog button[type=submit]')
    await tab.waitForSelector('.banner:has-text("forgotten: the crane was sold")')
    expect((await memory.read(key)).status).toBe('deleted')
    await tab.click('.head-actions button:has-text("Restore")')
    await tab.click('dialog button[type=submit]')
    await tab.waitForSelector('.head-actions button:has-text("Forget")')
    expect(await memory.read(key)).toMatchObject({ status: 'active', text: 'The crane stops at **wind** force 6.' })
    expect(faults).toEqual([])
    await close()
  })

  it.each([
    ['keeps theirs in the history', 'Go on with mine'],
    ['puts both into the form', 'Put both into the form'],
  ])('loses nothing where two people edit one note: %s', async (how, button) => {
    const memory = await workspace.memory()
    const { key } = await memory.save({ kind: 'fact', text: `The beacon is red, ${how}.`, by: 'agent' })
    const { tab, faults, show, close } = await open()
    await show(`${noteAddress(key)}?view=edit`, 'textarea')
    await tab.fill('textarea', 'The beacon is blue.')
    const file = path.join(home, 'memory', key)
    await writeFile(file, (await readFile(file, 'utf8')).replace('is red', 'is green'))
    await tab.click('button:has-text("Save")')
    await tab.waitForSelector('.both .diff')
    expect(await tab.evaluate('document.activeElement?.id')).toBe('both-title')
    expect(faults.splice(0).filter((fault) => !fault.includes('409'))).toEqual([])
    expect(await faultsOf(tab)).toEqual([])
    expect((await memory.read(key)).text).toContain('green')
    expect(await tab.inputValue('textarea')).toBe('The beacon is blue.')
    expect(await tab.locator('button[type=submit]').isDisabled()).toBe(true)
    await tab.click(`.both button:has-text("${button}")`)
    await tab.click('.note-form button[type=submit]')
    await tab.waitForSelector('.note .markdown:has-text("blue")')
    const kept = (await memory.history(key)).map(({ text }) => text).join('\n')
    expect(kept).toContain('The beacon is blue.')
    expect(kept).toContain('The beacon is green')
    expect(faults).toEqual([])
    await close()
  })

  it('confirms, corrects and forgets a belief, and goes from it to the plan behind it', async () => {
    const { tab, faults, show, close } = await open()
    const shelf = (await workspace.learning()).beliefs('ada')
    await show(`/beliefs/${made.story}`, '.chain')
    await press(tab, 'Confirm')
    await tab.waitForSelector('.sure strong:has-text("1.00")')
    await tab.click('.head-actions button:has-text("Correct")')
    await tab.fill('.wording textarea', 'The nightly import waits for the tide tables until 04:00.')
    expect(await faultsOf(tab)).toEqual([])
    await tab.click('.wording button[type=submit]')
    await tab.waitForSelector('h1:has-text("until 04:00")')
    await press(tab, 'Forget')
    await tab.waitForSelector('.banner:has-text("Forgotten by a person")')
    expect(await shelf.show(made.story)).toMatchObject({
      status: 'pruned',
      prunedBy: 'operator',
      provenance: 'operator',
    })
    await press(tab, 'Restore')
    await tab.waitForSelector('.head-actions button:has-text("Confirm")')
    await tab.click('.chain a')
    await tab.waitForSelector('.panel h2')
    expect(new URL(tab.url()).pathname).toBe('/plans/nightly')
    expect(faults).toEqual([])
    await close()
  })

  it('makes a note of a lesson that a person accepts', async () => {
    const { tab, faults, show, close } = await open()
    await show(`/beliefs/${made.lesson}`, '.chain')
    await press(tab, 'Accept as a note')
    await tab.waitForSelector('.note h1:has-text("pnpm")')
    expect(await tab.locator('.markdown').innerText()).toContain('claude-code session b7e1c2, turn 3')
    await show(`/beliefs/${made.lesson}`, '.banner:has-text("Accepted by a person")')
    await tab.click('a:has-text("the note that it became")')
    await tab.waitForSelector('.note h1:has-text("pnpm")')
    expect(faults).toEqual([])
    await close()
  })
})

/** Each change asks once. */
async function press(tab: Page, name: string): Promise<void> {
  await tab.click(`.head-actions button:text-is("${name}")`)
  await tab.click('dialog button[type=submit]')
}

function originOf({ port }: ViewServing): string {
  return `http://127.0.0.1:${port}`
}

function noteAddress(key: string): string {
  return `/memory/note/${key.split('/').map(encodeURIComponent).join('/')}`
}
