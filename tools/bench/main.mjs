// @ts-check
/**
 * `npm run bench -- [NAME]... [--json FILE] [--repeats N] [--only ID]... [--scale X] [--full] [--strict]`: the named benchmarks, or
 * all there are. Exit code 1 for a missed goal only with `--strict`: on a busy machine a figure is news, not an error.
 */
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { root, run } from '../run.mjs'
import { judge, table, versionsOf } from './frame.mjs'

/** @typedef {{ readonly packages: readonly string[], readonly cases: readonly import('./frame.mjs').Case[] }} Bench */

const here = import.meta.dirname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    repeats: { type: 'string', default: '25' },
    only: { type: 'string', multiple: true },
    scale: { type: 'string', default: '1' },
    strict: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
  },
})

const known = readdirSync(here)
  .filter((file) => file.endsWith('.mjs') && !['main.mjs', 'frame.mjs'].includes(file))
  .map((file) => file.slice(0, -'.mjs'.length))
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are: ${known.join(', ')}`)
  process.exitCode = 2
} else {
  await installPeers()
  await measureAll(positionals.length > 0 ? positionals : known)
}

/** @param {readonly string[]} names */
async function measureAll(names) {
  if ((await run(path.join(root, 'node_modules', '.bin', 'tsc'), ['-b'])) !== 0) throw new Error('the build failed')
  /** @type {import('./frame.mjs').Result[]} */
  const results = []
  /** @type {Record<string, string>} */
  const versions = {}
  for (const name of names) {
    /** @type {Bench} */
    const { packages, cases } = await import(pathToFileURL(path.join(here, `${name}.mjs`)).href)
    Object.assign(versions, await versionsOf(packages, root))
    for (const each of cases) if (isChosen(each)) results.push(await measureOne(each))
  }
  console.log(`\n${table(results, versions)}`)
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ versions, results }, null, 2)}\n`)
  if (values.strict && results.some(({ ok }) => !ok)) process.exitCode = 1
}

/** `--only S3` also means its variants, `S3-vault`; long cases run when `--full` is said. @param {import('./frame.mjs').Case} each */
function isChosen({ id, full = false }) {
  if (full && !values.full) return false
  return values.only?.some((name) => id === name || id.startsWith(`${name}-`)) ?? true
}

/** @param {import('./frame.mjs').Case} each */
async function measureOne(each) {
  console.error(`${each.id}: ${each.what} …`)
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-bench-'))
  try {
    return judge(each, await each.measure({ repeats: Number(values.repeats), scale: Number(values.scale), scratch }))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Again only when the lockfile is another one than it was installed from. */
async function installPeers() {
  const wanted = await readFile(path.join(here, 'package-lock.json'), 'utf8')
  const stamp = path.join(here, 'node_modules', '.installed-from')
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return
  console.error('installing what we are compared with into tools/bench/node_modules (once) …')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  if ((await run('npm', ['ci', '--prefix', here, ...flags])) !== 0) throw new Error('the peers could not be installed')
  await writeFile(stamp, wanted)
}
