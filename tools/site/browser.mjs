// @ts-check
/** Every page in a real Chromium, as wide as a telephone: it says nothing on the console, asks no other host, and is not wider than the screen. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { htmlFiles } from './links.mjs'
import { questions } from './questions.mjs'
import { serveBuilt } from './serve.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const narrow = { width: 360, height: 740 }
const wide = { width: 1280, height: 900 }

/**
 * What we use of playwright-core, which is not part of the repository's own install.
 * @typedef {object} Tab
 * @property {(event: string, listener: (it: any) => void) => void} on
 * @property {(url: string, options?: object) => Promise<unknown>} goto
 * @property {(inPage: string | (() => any)) => Promise<any>} evaluate
 * @property {(selector: string, options?: object) => Promise<unknown>} waitForSelector
 * @property {(selector: string) => Promise<void>} click
 * @property {(selector: string, text: string) => Promise<void>} fill
 * @property {(inPage: string) => Promise<unknown>} waitForFunction
 * @property {() => Promise<void>} close
 * @property {(selector: string, fn: (found: any[]) => any) => Promise<any>} $$eval
 */
/** @typedef {{ newPage: (options: object) => Promise<Tab>, close: () => Promise<void> }} Browser */

/** The one that is named, else the first on the PATH. @returns {string | undefined} */
export function findChromium() {
  const named = process.env['CHROMIUM']
  if (named !== undefined && named !== '') return named
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find((file) => existsSync(file))
}

/** @param {string} built @param {string} base @param {string} executablePath */
export async function checkInBrowser(built, base, executablePath) {
  const { chromium } = await import(['playwright-core'].join(''))
  const site = await serveBuilt(built, base)
  /** @type {Browser} */
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const files = htmlFiles(built).filter((file) => file !== '404.html')
    const faults = [
      ...(await visitAll(browser, `${site.origin}${base}`, files)),
      ...(await switchToDark(browser, `${site.origin}${base}`)),
      ...(await searchAll(browser, `${site.origin}${base}`)),
    ]
    return { faults, visits: files.length, questions: questions.length }
  } finally {
    await browser.close()
    await site.close()
  }
}

/** @param {Browser} browser @param {string} home @param {readonly string[]} files */
async function visitAll(browser, home, files) {
  const tab = await browser.newPage({ viewport: narrow })
  /** @type {string[]} */
  const faults = []
  let page = ''
  listen(tab, home, (fault) => faults.push(`${page}: ${fault}`))
  for (const file of files) {
    page = file
    await tab.goto(`${home}${file.replace(/((?<=^|\/)index)?\.html$/, '')}`, { waitUntil: 'load' })
    await hydrated(tab)
    const { scroll, inner, widest } = await tab.evaluate(widths)
    if (scroll > inner) faults.push(`${page}: ${scroll} px wide on a screen of ${inner} px, because of ${widest}`)
  }
  return faults
}

/** @param {Tab} tab @param {string} home @param {(fault: string) => void} say */
function listen(tab, home, say) {
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) say(`on the console: ${message.text()}`)
  })
  tab.on('pageerror', (error) => say(`threw ${error.message}`))
  tab.on('requestfailed', (request) => {
    // A page that is left gives up what it was still fetching ahead.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      say(`${request.url()} failed: ${request.failure()?.errorText}`)
  })
  tab.on('response', (response) => {
    if (response.status() >= 400) say(`${response.url()} answered ${response.status()}`)
  })
  tab.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(new URL(home).origin))
      say(`asks another host for ${request.url()}`)
  })
}

/** Vue has taken over the page: what it finds different it says on the console only then. @param {Tab} tab */
async function hydrated(tab) {
  await tab.waitForFunction("'__vue_app__' in (document.querySelector('#app') ?? {})")
}

/** Runs in the page. */
function widths() {
  const { document, getComputedStyle, innerWidth } = /** @type {any} */ (globalThis)
  const scrolls = (/** @type {any} */ element) =>
    ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX)
  const isScrolled = (/** @type {any} */ element) => {
    for (let above = element.parentElement; above !== null; above = above.parentElement) if (scrolls(above)) return true
    return false
  }
  const wider = [...document.querySelectorAll('main *, .VPContent *')].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1 && !isScrolled(element),
  )
  const widest = wider.at(-1)
  return {
    scroll: document.documentElement.scrollWidth,
    inner: innerWidth,
    widest:
      widest === undefined
        ? 'nothing in the text'
        : `<${widest.tagName.toLowerCase()}> ${widest.textContent.slice(0, 60)}`,
  }
}

/** @param {Browser} browser @param {string} home */
async function switchToDark(browser, home) {
  const tab = await browser.newPage({ viewport: wide })
  await tab.goto(home)
  await hydrated(tab)
  await tab.click('.VPNavBar .VPSwitchAppearance')
  const isDark = await tab.evaluate("document.documentElement.classList.contains('dark')")
  return isDark ? [] : ['the switch for dark mode does nothing']
}

/** @param {Browser} browser @param {string} home */
async function searchAll(browser, home) {
  /** @type {string[]} */
  const faults = []
  for (const { question, page } of questions) {
    // A tab remembers its last search, and shows those answers until it has looked again.
    const tab = await browser.newPage({ viewport: wide })
    await tab.goto(home)
    await hydrated(tab)
    const found = await search(tab, question)
    await tab.close()
    const first = found.slice(0, 5).map((url) => decodeURIComponent(new URL(url, home).href.slice(home.length)))
    if (!first.some((url) => url.split('#')[0] === page))
      faults.push(`search for "${question}" finds ${first.join(', ') || 'nothing'}, not ${page}`)
  }
  return faults
}

/** @param {Tab} tab @param {string} question @returns {Promise<readonly string[]>} */
async function search(tab, question) {
  await tab.click('.DocSearch-Button')
  await tab.waitForSelector('.VPLocalSearchBox input')
  await tab.fill('.VPLocalSearchBox input', question)
  // What it says when it has looked: answers, or that there are none.
  await tab.waitForSelector('.VPLocalSearchBox .results a.result, .VPLocalSearchBox .no-results', { timeout: 15_000 })
  return tab.$$eval('.VPLocalSearchBox .results a.result', (links) => links.map((link) => link.href))
}
