// @ts-check
/** What the built site must be: no link leads nowhere, nothing comes from another host, and in a real browser every page works. */
import path from 'node:path'
import { checkInBrowser, findChromium } from './browser.mjs'
import { faultyLinks } from './links.mjs'

/** Says what is wrong, a line each. @param {string} built @param {string} base @param {{ readonly inBrowser: boolean }} how */
export async function checkSite(built, base, { inBrowser }) {
  const links = faultyLinks(built, base)
  const browser = inBrowser ? findChromium() : undefined
  const seen = browser === undefined ? undefined : await checkInBrowser(built, base, browser)
  const faults = [...links.faults, ...(seen?.faults ?? [])]
  for (const fault of faults) console.error(fault)
  console.log(`${links.pages} pages, ${links.checked} links: ${links.faults.length} lead nowhere`)
  if (!inBrowser) return faults.length === 0
  if (seen === undefined)
    console.log(
      'skipped: pages and search in a browser, because there is no Chromium; install one, or name it in CHROMIUM',
    )
  else
    console.log(
      `${seen.visits} visits and ${seen.questions} searches in ${path.basename(browser ?? '')}: ${seen.faults.length} faults`,
    )
  return faults.length === 0
}
