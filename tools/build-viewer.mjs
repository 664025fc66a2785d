// @ts-check
/**
 * Checks the types of the page of `agentm view` and builds it with Vite, from packages/viewer/app into packages/viewer/dist/app. What it
 * uses of others is inside those files, with their licences, so that nothing is loaded from another host.
 *
 *     node tools/build-viewer.mjs
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root, run } from './run.mjs'

const app = path.join(root, 'packages', 'viewer', 'app')
const into = path.join(root, 'packages', 'viewer', 'dist', 'app')
/** Of all files together, compressed. */
const mostBytes = 400_000

const code = await run(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', app])
if (code !== 0) process.exit(code)
await build({
  root: app,
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [licences()],
  build: {
    outDir: into,
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no inline script and no data addresses.
    modulePreload: false,
    assetsInlineLimit: 0,
  },
})
const size = sizeOf(into)
if (size > mostBytes) throw new Error(`the page has ${size} bytes compressed, and may have ${mostBytes}`)

/** Whoever passes a library on passes on its licence. @returns {import('vite').Plugin} */
function licences() {
  /** @type {Set<string>} */
  const homes = new Set()
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        for (const id of file.type === 'chunk' ? file.moduleIds : []) {
          const home = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]
          if (home !== undefined) homes.add(home)
        }
    },
    closeBundle() {
      writeFileSync(path.join(into, 'LICENSES.txt'), [...homes].toSorted().map(licenceOf).join('\n'))
    },
  }
}

/** @param {string} home */
function licenceOf(home) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
  const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? `Licence: ${license}\n` : readFileSync(path.join(home, file), 'utf8')
  return `${name} ${version}\n\n${text}`
}

/** @param {string} folder @returns {number} */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce(
    (sum, { parentPath, name }) => sum + gzipSync(readFileSync(path.join(parentPath, name))).length,
    0,
  )
}
