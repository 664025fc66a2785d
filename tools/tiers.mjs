// @ts-check
/**
 * The two test tiers. `quick` is `npm test`: build, lint, import direction, format, every test that takes seconds,
 * and the harness held to its fixtures.
 * `deep` is `npm run test:deep`: kill loops and fuzz at full size, every package installed alone, a newer Node.
 * Both end by saying what they did not run and why, and with one line of counts.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root, run } from './run.mjs'
import { printFaults, printSkipped, printTally, sumOf } from './tally.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ readonly name: string, readonly command: string, readonly args: readonly string[] }} Leg */

const bin = path.join(root, 'node_modules', '.bin')

/** @type {Readonly<Record<string, readonly Leg[]>>} */
const tiers = {
  quick: [
    {
      name: 'build, lint, boundaries, format, gates, unit',
      command: path.join(bin, 'nx'),
      args: [
        'run-many',
        '-t',
        'build',
        'lint',
        'boundaries',
        'format',
        'gates',
        'unit',
        '-p',
        'agentm',
        '--outputStyle=static',
      ],
    },
    { name: 'sizes, for information', command: process.execPath, args: ['tools/print-sizes.mjs'] },
    ...['seed', 'extended', 'examples/eval-gate/fixtures'].map((suite) => ({
      name: `the harness, held to ${suite}`,
      command: process.execPath,
      args: ['packages/cli/bin/agentm.mjs', 'eval', suite],
    })),
  ],
  deep: [
    { name: 'build', command: 'npm', args: ['run', 'build'] },
    { name: 'a PostgreSQL server for the tests', command: 'sh', args: ['tools/postgres.sh'] },
    {
      name: 'kill loops and fuzz at full size',
      command: path.join(bin, 'vitest'),
      args: ['run', '--config', 'vitest.deep.config.ts'],
    },
    {
      name: 'each package installed alone, and on Bun, Deno and Windows',
      command: process.execPath,
      args: ['tools/install-test.mjs'],
    },
    { name: 'the tests that hold on Windows, under Wine', command: process.execPath, args: ['tools/windows-test.mjs'] },
    { name: 'the quick tests on a newer Node', command: process.execPath, args: ['tools/newer-node.mjs'] },
  ],
}

/** @param {string} tier */
async function runTier(tier) {
  const legs = tiers[tier]
  if (legs === undefined) throw new TypeError(`no tier "${tier}"; there are ${Object.keys(tiers).join(' and ')}`)
  /** @type {Tally[]} */
  const tallies = []
  /** @type {string[]} */
  const broken = []
  for (const leg of legs) {
    if (legs.length > 1) console.log(`\n== ${leg.name} ==`)
    const { code, tally } = await runLeg(leg)
    if (code !== 0) broken.push(leg.name)
    if (tally !== undefined) tallies.push(tally)
  }
  finish(tier, sumOf(tallies), broken)
}

/** @param {Leg} leg @returns {Promise<{ readonly code: number, readonly tally: Tally | undefined }>} */
async function runLeg({ command, args }) {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'agentm-tally-'))
  const file = path.join(scratch, 'tally.json')
  try {
    const code = await run(command, args, { AGENTM_TALLY: file })
    return { code, tally: readTally(file) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** @param {string} file @returns {Tally | undefined} nothing when the leg counts no tests, or never came to count them */
function readTally(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * @param {string} tier
 * @param {Tally} tally
 * @param {readonly string[]} broken
 */
function finish(tier, tally, broken) {
  console.log('')
  printSkipped(tally)
  if (tier === 'quick') console.log(deepNotice())
  printFaults(tally)
  for (const name of broken) console.log(`FAILED: ${name}`)
  // A leg can break without a failed test (the build, a lint rule): never let the counts alone look green.
  printTally({ ...tally, failed: Math.max(tally.failed, broken.length) })
  if (broken.length > 0) process.exitCode = 1
}

function deepNotice() {
  const files = deepFiles()
  return `not run here: the deep tier (${files.length} files of kill loops and fuzz, each package installed alone, other runtimes, Windows, a newer Node); it takes minutes: npm run test:deep`
}

function deepFiles() {
  const rooms = ['packages', 'examples'].map((room) => path.join(root, room)).filter((room) => existsSync(room))
  const homes = rooms.flatMap((room) => readdirSync(room).map((name) => path.join(room, name, 'test')))
  return [...homes, path.join(root, 'tools', 'test')]
    .filter((home) => existsSync(home))
    .flatMap((home) => readdirSync(home, { recursive: true, encoding: 'utf8' }))
    .filter((file) => file.endsWith('.deep.test.ts'))
}

await runTier(process.argv[2] ?? 'quick')
