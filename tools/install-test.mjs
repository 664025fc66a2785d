// @ts-check
/**
 * Packs every package, publishes it to a registry on this machine's loopback, and tries each one as a stranger would: contents
 * and size, publint, types as TypeScript resolves them, and an installation alone (tools/install/alone.mjs). A new package
 * joins by existing. Then the packages are tried on Bun, on Deno and on Windows' Node (tools/platforms/everywhere.mjs).
 *
 *     node tools/install-test.mjs [--only NAME]... [--runtimes [--write]] [--built]
 *
 * --only      these packages, and no other runtime
 * --built     nothing has changed since the last build
 * --runtimes  the other runtimes only; with --write, docs/reference/platforms.md gets their transcripts
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { checkAlone } from './install/alone.mjs'
import { exec } from './install/exec.mjs'
import { loopbackRegistry } from './install/loopback-registry.mjs'
import { faultsIn, packAll } from './install/packed.mjs'
import { publishAll } from './install/publish.mjs'
import { checkProgram } from './install/types.mjs'
import { tryEverywhere } from './platforms/everywhere.mjs'
import { root } from './run.mjs'
import { printSkipped, printTally } from './tally.mjs'

/** @typedef {import('./install/packed.mjs').Packed} Packed */
/** @typedef {import('./install/outcome.mjs').Check} Check */

const scope = '@agentm'
const attw = '@arethetypeswrong/cli@0.18.5'
const tsc = path.join(root, 'node_modules', '.bin', 'tsc')

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runtimes: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
})
const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-install-test-'))
try {
  await tryAll()
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function tryAll() {
  if (!values.built) await exec('npm', ['run', 'build'], { cwd: root })
  const packages = await packAll(root, scratch)
  const chosen = packages.filter(({ name }) => values.only?.includes(name.slice(scope.length + 1)) ?? !values.runtimes)
  if (chosen.length === 0 && !values.runtimes) throw new TypeError(`no package is called ${values.only?.join(' or ')}`)
  const types = values.runtimes ? {} : await installAttw()
  const registry = await loopbackRegistry([])
  const { devDependencies, overrides } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  const results = new Map()
  /** @type {import('./platforms/everywhere.mjs').Tried} */
  let elsewhere = { checks: [], skipped: [] }
  try {
    await publishAll(packages, { registry: registry.url, scratch })
    const queue = [...chosen]
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const folder = path.join(scratch, 'alone', next.name.slice(scope.length + 1))
        const setting = { folder, scope, registry: registry.url, tsc, pins: devDependencies, overrides }
        const checks = [
          ...(await checkTarball(next, types.command)),
          ...(await checkAlone(next, setting)),
          await checkProgram(next, { folder, tsc, pins: devDependencies }),
        ]
        print(next, checks)
        results.set(next.name, checks)
      }
    }
    await Promise.all([work(), work()])
    if (values.only === undefined) {
      const page = path.join(root, 'docs', 'reference', 'platforms.md')
      elsewhere = await tryEverywhere({ scratch, scope, registry: registry.url, overrides, page, writes: values.write })
      for (const check of elsewhere.checks) printElsewhere(check)
    }
  } finally {
    registry.close()
  }
  const typeless = types.absent === undefined ? [] : chosen.map(() => ({ what: 'types', why: types.absent ?? '' }))
  await conclude([...[...results.values()].flat(), ...elsewhere.checks], [...typeless, ...elsewhere.skipped])
}

/**
 * Beside the repository, not in it: it brings 56 packages and a TypeScript of its own.
 * @returns {Promise<{ readonly command?: string, readonly absent?: string }>}
 */
async function installAttw() {
  const folder = path.join(scratch, 'attw')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  try {
    await exec('npm', ['install', '--prefix', folder, ...flags, attw], { cwd: scratch })
    return { command: path.join(folder, 'node_modules', '.bin', 'attw') }
  } catch (error) {
    return { absent: `${attw} could not be installed: ${String(error).split('\n')[0]}` }
  }
}

/**
 * @param {Packed} packed
 * @param {string | undefined} types the command, where there is one
 * @returns {Promise<Check[]>}
 */
async function checkTarball(packed, types) {
  const contents = faultsIn(packed).join('\n')
  const lint = await lintTarball(packed.tarball)
  return [
    { what: 'contents', ...(contents ? { fault: contents } : {}) },
    { what: 'publint', ...(lint ? { fault: lint } : {}) },
    ...(types ? [await checkTypes(types, packed.tarball)] : []),
  ]
}

/** @param {string} tarball */
async function lintTarball(tarball) {
  const data = await readFile(tarball)
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true })
  return messages.map((message) => formatMessage(message, pkg)).join('\n')
}

/** @param {string} command @param {string} tarball @returns {Promise<Check>} */
async function checkTypes(command, tarball) {
  const what = 'types'
  try {
    await exec(command, [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'], { cwd: scratch })
    return { what }
  } catch (error) {
    return { what, fault: String(error) }
  }
}

/** @param {Packed} packed @param {readonly Check[]} checks */
function print({ name, version, size, unpackedSize }, checks) {
  const faults = checks.filter(({ fault }) => fault !== undefined)
  const sizes = `${(size / 1000).toFixed(1)} kB packed, ${(unpackedSize / 1000).toFixed(0)} kB unpacked`
  console.log(`${faults.length === 0 ? 'ok' : 'FAILED'} ${name}@${version}: ${checks.length} checks, ${sizes}`)
  for (const { what } of checks) if (what.startsWith('installs with')) console.log(`  also ${what}`)
  for (const { what, fault } of faults) console.log(`  ${what}: ${fault?.replaceAll('\n', '\n    ')}`)
}

/** @param {Check} check */
function printElsewhere({ what, fault }) {
  console.log(fault === undefined ? `ok ${what}` : `FAILED ${what}\n    ${fault.replaceAll('\n', '\n    ')}`)
}

/** @param {readonly Check[]} checks @param {import('./tally.mjs').Tally['skipped']} skipped */
async function conclude(checks, skipped) {
  const failed = checks.filter(({ fault }) => fault !== undefined).length
  const tally = { passed: checks.length - failed, failed, skipped }
  if (process.env['AGENTM_TALLY']) await writeFile(process.env['AGENTM_TALLY'], JSON.stringify(tally))
  else printSkipped(tally)
  printTally(tally)
  if (failed > 0) process.exitCode = 1
}
