// @ts-check
/**
 * Types every command of the pages as a reader would, in a home of its own for each page, and compares what it prints with what
 * the page says. `npx @agentm/cli …` and `npm install @agentm/…` bring the packages as they would be published.
 *
 *     node tools/play-pages.mjs [--here] [--show] [--write] [PAGE…]
 *
 * --here  `npx @agentm/cli` starts the command of this checkout instead: sooner, for who writes a page
 * --show  print what each fence printed
 * --write put it into the page where the page says otherwise
 * PAGE    these pages; otherwise README.md and all of docs/tutorials, docs/how-to and docs/explanation
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { playPage } from './pages/play-page.mjs'
import { openStages, playedPages } from './pages/stages.mjs'
import { root } from './run.mjs'

const { values, positionals } = parseArgs({
  options: {
    here: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const stages = await openStages(values)
try {
  const pages = positionals.length > 0 ? positionals : await playedPages()
  for (const page of pages) await tell(page)
} finally {
  await stages.close()
}

/** @param {string} name */
async function tell(name) {
  const page = await readFile(path.resolve(root, name), 'utf8')
  const stage = await stages.stageFor(page)
  if ('absent' in stage) return console.log(`skipped ${name}: ${stage.absent}`)
  const told = await playPage(page, stage)
  if (values.write) await correct(path.resolve(root, name), page, told)
  const faults = told.filter(({ fault }) => fault !== undefined)
  console.log(`${faults.length === 0 ? 'ok' : 'FAILED'} ${name}: ${told.length} fences`)
  if (values.show) for (const { line, said } of told) console.log(`--- line ${line}\n${said}`)
  for (const { line, fault } of faults) console.log(`  line ${line}: ${fault?.replaceAll('\n', '\n    ')}`)
  if (faults.length > 0) process.exitCode = 1
}

/** @param {string} file @param {string} page @param {readonly import('./pages/play-page.mjs').Told[]} told */
async function correct(file, page, told) {
  let corrected = page
  for (const { otherwise, line } of told) {
    if (otherwise === undefined) continue
    const from = page.split('\n').slice(0, line).join('\n').length
    const at = corrected.indexOf('```text\n' + otherwise.from + '```', from + corrected.length - page.length - 1)
    if (at < 0) throw new TypeError(`${file} says line ${line} twice`)
    const rest = corrected.slice(at + '```text\n'.length + otherwise.from.length)
    corrected = `${corrected.slice(0, at)}\`\`\`text\n${otherwise.to.trimEnd()}\n${rest}`
  }
  if (corrected !== page) await writeFile(file, corrected)
}
