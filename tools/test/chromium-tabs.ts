/** Tabs of a real Chromium that look at the page of `agentm view`, and what is wrong with what they show. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'

const axe = readFileSync(
  createRequire(path.resolve('packages/viewer/package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
)

export interface OpenedTab {
  readonly tab: Page
  /** What was said on the console, dialogs, and requests to other hosts. */
  readonly faults: string[]
  readonly close: () => Promise<void>
}

/** A tab that has the cookie of the page. `url` is the address with the token. */
export async function openTab(
  browser: Browser,
  url: string,
  { width = 1280, dark = false }: { readonly width?: number; readonly dark?: boolean } = {},
): Promise<OpenedTab> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  await context.addInitScript({ content: axe })
  const tab = await context.newPage()
  const { origin } = new URL(url)
  const faults: string[] = []
  tab.on('console', (said) => ['error', 'warning'].includes(said.type()) && faults.push(said.text()))
  tab.on('pageerror', (error) => faults.push(String(error)))
  tab.on('dialog', (dialog) => faults.push(`a dialog: ${dialog.message()}`))
  tab.on('request', (request) => request.url().startsWith(origin) || faults.push(`asks another host: ${request.url()}`))
  await tab.goto(url)
  return { tab, faults, close: () => context.close() }
}

/** Serious faults of access, and what is wider than the screen. */
export async function faultsOf(tab: Page): Promise<readonly string[]> {
  const { checked, found, scrollWidth, innerWidth } = await tab.evaluate(inspected)
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return [
    ...(checked < 10 ? ['axe has checked next to nothing'] : []),
    ...serious.map(({ id, html, message }) => `${id}: ${html.slice(0, 160)} ${message}`),
    ...(scrollWidth > innerWidth ? [`${scrollWidth} px wide on a screen of ${innerWidth}`] : []),
  ]
}

interface Rule {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[]
}

/** What of the page we use where it runs. */
interface InPage {
  readonly axe: { run(): Promise<{ readonly passes: readonly Rule[]; readonly violations: readonly Rule[] }> }
  readonly document: { readonly documentElement: { readonly scrollWidth: number } }
  readonly innerWidth: number
}

/** Runs in the page. */
async function inspected() {
  const { axe: checker, document, innerWidth } = globalThis as unknown as InPage
  const { passes, violations } = await checker.run()
  return {
    checked: passes.length,
    found: violations.flatMap(({ id, impact, nodes }) =>
      nodes.slice(0, 3).map(({ html, any }) => ({ id, impact, html, message: any[0]?.message ?? '' })),
    ),
    scrollWidth: document.documentElement.scrollWidth,
    innerWidth,
  }
}
