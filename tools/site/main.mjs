// @ts-check
/**
 * `npm run site`: the documentation site, from docs/ and the sources of the packages, into tools/site/.built/site.
 * A dead link fails. `-- --serve` shows what was built, `-- dev` shows docs/ while somebody edits it, `-- --check` also tries every
 * page in a browser.
 */
import { existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { helpWhereAsked, numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { root, run } from '../run.mjs'
import { checkSite } from './check.mjs'
import { writeLlms } from './llms.mjs'
import { stage } from './stage.mjs'

const here = import.meta.dirname
const built = path.join(here, '.built', 'site')
const command = 'npm run site'
helpWhereAsked(`
Usage: npm run site -- [dev] [OPTIONS]

Builds the documentation site into tools/site/.built/site. With dev it shows docs/ on this machine instead, and a page
changes as soon as its file does. What it needs is installed on first use.

  --serve         show the built site on this machine
  --check         also open every page in Chromium, and search there, if there is one
  --port N        where dev and --serve listen (default: 4173)
  --base PATH     where the site is published below its host (default: /agentm/)
`)
const { values, positionals } = orWrongUse(command, () =>
  parseArgs({
    allowPositionals: true,
    options: {
      serve: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      port: { type: 'string', default: '4173' },
      base: { type: 'string', default: '/agentm/' },
    },
  }),
)
orWrongUse(command, () => {
  if (positionals.some((word) => word !== 'dev')) throw new WrongUse(`there is no "${positionals.join(' ')}"`)
  if (!/^\/([^/]+\/)*$/.test(values.base))
    throw new WrongUse(`--base begins and ends with a slash, unlike ${values.base}`)
  numberIn('--port', values.port)
})

await install()
process.env['AGENTM_SITE_BASE'] = values.base
/** @type {Generator} */
const generator = await import(['vitepress'].join(''))
await (positionals.includes('dev') ? showSources() : make())

/**
 * What we use of VitePress. It is not part of the repository's own install, so its types are not there to import.
 * @typedef {object} Generator
 * @property {(root: string) => Promise<void>} build
 * @property {(root: string, options: object) => Promise<{ listen: () => Promise<void>, printUrls: () => void }>} createServer
 * @property {(options: object) => Promise<void>} serve
 */

async function make() {
  const started = performance.now()
  const pages = stage()
  rmSync(built, { recursive: true, force: true })
  await generator.build(here)
  writeLlms(pages, { from: path.join(here, '.built', 'pages'), to: built, base: values.base })
  console.log(`built ${pages.length} pages in ${((performance.now() - started) / 1000).toFixed(1)} s: ${built}`)
  if (!(await checkSite(built, values.base, { inBrowser: values.check }))) process.exitCode = 1
  if (!values.serve) return
  await generator.serve({ root: here, base: values.base, port: Number(values.port) })
  console.log(`http://localhost:${values.port}${values.base}`)
}

async function showSources() {
  stage()
  const server = await generator.createServer(here, { port: Number(values.port), host: '127.0.0.1' })
  await server.listen()
  server.printUrls()
  watch(path.join(root, 'docs'), { recursive: true }, () => stage())
}

/** Again only when the lockfile is another one than it was installed from. */
async function install() {
  const wanted = readFileSync(path.join(here, 'package-lock.json'), 'utf8')
  const stamp = path.join(here, 'node_modules', '.installed-from')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('installing what the site is built with into tools/site/node_modules (once) …')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  if ((await run('npm', ['ci', '--prefix', here, ...flags])) !== 0)
    throw new Error('the site generator could not be installed')
  writeFileSync(stamp, wanted)
}
