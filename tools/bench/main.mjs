// @ts-check
/**
 * `npm run bench -- [NAME]... [--json FILE] [--repeats N] [--only ID]... [--scale X] [--full] [--strict] [--scoreboard]`: the named
 * benchmarks. With `--scoreboard` their part of docs/scoreboard.md is written again; with `recall` among them also what recall
 * finds, on the set generated here and on those of `--data DIR`; the figures of other sets stay. Without a name: all there are, one process each, and the
 * whole page. `--page` only writes the page again. Exit code 1 for what could not be measured, and for a missed goal only
 * with `--strict`: on a busy machine a figure is news, not an error.
 */
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { helpWhereAsked, numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { root, run } from '../run.mjs'
import { judge, NotMeasurable, table, versionsOf } from './frame.mjs'
import { writeBench, writePage } from './scoreboard.mjs'
import { machine, today } from './scoreboard/machine.mjs'
import { measureRecall } from './scoreboard/measure-recall.mjs'
import { runAll } from './scoreboard/run-all.mjs'

/**
 * `close` takes away what the cases of a benchmark share: servers, and stores that are open.
 * @typedef {{ readonly packages: readonly string[], readonly cases: readonly import('./frame.mjs').Case[],
 *   readonly close?: () => Promise<void> }} Bench
 */
/** @typedef {{ results: import('./frame.mjs').Result[], failures: Record<string, string>, left: string[], versions: Record<string, string> }} Measured */

const here = import.meta.dirname
const known = readdirSync(here)
  .filter((file) => file.endsWith('.mjs') && !['main.mjs', 'frame.mjs', 'scoreboard.mjs'].includes(file))
  .map((file) => file.slice(0, -'.mjs'.length))
const command = 'npm run bench'
helpWhereAsked(`
Usage: npm run bench -- [NAME]... [OPTIONS]

Measures beside a floor and beside what one would use instead. NAME is one of: ${known.join(', ')}; the beginning of several,
such as nodes, is all of them. Without one: everything, within half an hour, and docs/scoreboard.md anew. Exit code 1 for what could not be
measured.

  --only ID       only this row, and its variants; may be given several times
  --repeats N     rounds; 25 for named benchmarks, 9 for everything
  --scale X       sizes times X; 1 where absent
  --full          a million nodes and a million sleeping functions, too
  --data DIR      labelled data for recall: corpus.jsonl and queries.jsonl; may be given several times;
                  the figures of sets that are not named stay as they are
  --json FILE     also write the figures there
  --scoreboard    write their part of docs/scoreboard.md
  --page          write that page again from what was measured, and measure nothing
  --strict        exit code 1 for a missed goal, too
`)
const { values, positionals } = orWrongUse(command, () =>
  parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      repeats: { type: 'string' },
      only: { type: 'string', multiple: true },
      scale: { type: 'string', default: '1' },
      data: { type: 'string', multiple: true },
      strict: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      scoreboard: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
    },
  }),
)

// Everything at once has half an hour.
const repeats = values.repeats ?? (positionals.length > 0 ? '25' : '9')
// If this run is interrupted, the figures measured until then are still printed.
const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stopping.abort())
const timeIsUp = once(stopping.signal, 'abort').then(() => {
  throw new Error('the time was up while it was measured')
})
// It may reject while nothing waits for it.
timeIsUp.catch(() => {})

/** A name and whatever is measured under it: `nodes` is `nodes-sqlite` and `nodes-postgres`. @param {string} name */
const named = (name) => known.filter((one) => one === name || one.startsWith(`${name}-`))
const unknown = positionals.filter((name) => named(name).length === 0)
const lost = (values.data ?? []).filter((folder) => !existsSync(path.join(folder, 'corpus.jsonl')))
orWrongUse(command, () => {
  if (unknown.length > 0)
    throw new WrongUse(`no benchmark is called ${unknown.join(', ')}; there are: ${known.join(', ')}`)
  if (lost.length > 0) throw new WrongUse(`there is no labelled data in ${lost.join(', ')}`)
  numberIn('--repeats', repeats)
  numberIn('--scale', values.scale, { whole: false, least: 0.001 })
})
if (values.page) {
  await writePage()
} else {
  await build()
  const code =
    positionals.length > 0 ? await measureNamed([...new Set(positionals.flatMap(named))]) : await measureEverything()
  // Stores that stay open for the next case, and a case that was given up, would keep this process alive.
  process.exit(code)
}

async function build() {
  if ((await run('npm', ['run', 'build'])) !== 0) throw new Error('the build failed')
  await installPeers()
}

/** Measures all benchmarks, each in its own process, so that the memory of one does not slow down the next. */
async function measureEverything() {
  const settings = ['--repeats', repeats, '--scale', values.scale]
  const options = [...settings, ...(values.full ? ['--full'] : []), ...(values.strict ? ['--strict'] : [])]
  const data = (values.data ?? []).flatMap((folder) => ['--data', path.resolve(folder)])
  const optionsOf = (/** @type {string} */ name) => [...options, ...(name === 'recall' ? data : [])]
  return runAll(known, { optionsOf, isLimited: !values.full, signal: stopping.signal })
}

/** @param {readonly string[]} names */
async function measureNamed(names) {
  /** @type {Measured} */
  const all = { results: [], failures: {}, left: [], versions: {} }
  for (const name of names) {
    const started = performance.now()
    const where = machine()
    const measured = await measureBench(name)
    all.results.push(...measured.results)
    Object.assign(all.failures, measured.failures)
    Object.assign(all.versions, measured.versions)
    if (!values.scoreboard) continue
    const settings = `${repeats} rounds${values.scale === '1' ? '' : `, scaled to ${values.scale}`}`
    const seconds = (performance.now() - started) / 1000
    const bench = { at: today(), machine: where, settings, seconds, ...measured }
    await writeBench(name, bench, { merge: values.only !== undefined })
  }
  console.log(`\n${table(all.results, all.versions)}`)
  for (const [id, why] of Object.entries(all.failures)) console.log(`${id} could not be measured: ${why}`)
  if (values.json !== undefined)
    await writeFile(
      values.json,
      `${JSON.stringify({ versions: all.versions, results: all.results, failures: all.failures }, null, 2)}\n`,
    )
  if (values.scoreboard && names.includes('recall') && values.only === undefined) await measureRecall(values.data ?? [])
  const isMissed = values.strict && all.results.some(({ ok }) => !ok)
  return isMissed || Object.keys(all.failures).length > 0 ? 1 : 0
}

/** @param {string} name @returns {Promise<Measured>} */
async function measureBench(name) {
  /** @type {Bench} */
  const { packages, cases, close } = await import(pathToFileURL(path.join(here, `${name}.mjs`)).href)
  /** @type {Measured} */
  const measured = { results: [], failures: {}, left: [], versions: await versionsOf(packages, root) }
  try {
    for (const each of cases) {
      if (each.full === true && !values.full) measured.left.push(each.id)
      else if (isChosen(each)) await measureOne(each, measured)
    }
  } finally {
    // A case that was given up may never release its resources, but the figures must still be written.
    await Promise.race([close?.(), sleep(10_000, undefined, { ref: false })])
  }
  return measured
}

/** `--only S3` also means its variants, `S3-vault`. @param {import('./frame.mjs').Case} each */
function isChosen({ id }) {
  return values.only?.some((name) => id === name || id.startsWith(`${name}-`)) ?? true
}

/** What cannot be measured does not keep the others from being measured. @param {import('./frame.mjs').Case} each @param {Measured} into */
async function measureOne(each, into) {
  if (stopping.signal.aborted) {
    into.failures[each.id] = 'the time was up before its turn'
    return
  }
  console.error(`${each.id}: ${each.what} …`)
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-bench-'))
  try {
    const settings = { repeats: Number(repeats), scale: Number(values.scale), scratch }
    into.results.push(judge(each, await Promise.race([each.measure(settings), timeIsUp])))
  } catch (error) {
    if (!(error instanceof NotMeasurable)) console.error(error)
    into.failures[each.id] = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  } finally {
    // A case that was given up may still write there.
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
}

/** Installs the peers, unless they were installed from the same lockfile. */
async function installPeers() {
  const wanted = await readFile(path.join(here, 'package-lock.json'), 'utf8')
  const stamp = path.join(here, 'node_modules', '.installed-from')
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return
  console.error('installing what we are compared with into tools/bench/node_modules (once) …')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  if ((await run('npm', ['ci', '--prefix', here, ...flags])) !== 0) throw new Error('the peers could not be installed')
  await writeFile(stamp, wanted)
}
