/** What is wrong with a page as it stands in a browser: serious faults of access that axe finds, and what is wider than the screen. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Page } from 'playwright-core'

/** To be run in a page before `pageFaults`. */
export const axeScript = readFileSync(
  createRequire(path.resolve('packages/viewer/package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
)

export async function pageFaults(tab: Page): Promise<readonly string[]> {
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
