// @ts-check
/**
 * The two test tiers. `quick` is `npm test`: build, lint, import direction, format, every test that takes seconds,
 * and the harness held to its fixtures.
 * `deep` is `npm run test:deep`: kill loops and fuzz at full size, every package installed alone, a newer Node.
 * Both end by saying what they did not run and why, and with one line of counts.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root, run } from './run.mjs'
import { printFaults, printSkipped, printTally, sumOf } from './tally.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ readonly name: string, readonly command: string, readonly args: readonly string[] }} Leg */

const bin = path.join(root, 'node_modules', '.bin')

/**
 * `lanes` run side by side after `first`. What the first lane prints is seen at once; legs of the others print when they end.
 * @type {Readonly<Record<string, { readonly first: readonly Leg[], readonly lanes: readonly (readonly Leg[])[] }>>}
 */
const tiers = {
  quick: {
    lanes: [],
    first: [
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
  },
  // Most of the time goes by in waiting for processes, so two lanes take little more than the longer one. They are about as long.
  deep: {
    first: [
      { name: 'build', command: 'npm', args: ['run', 'build'] },
      { name: 'a PostgreSQL server for the tests', command: 'sh', args: ['tools/postgres.sh'] },
      { name: 'Chromium, bubblewrap and Wine for the tests', command: 'sh', args: ['tools/programs.sh'] },
    ],
    lanes: [
      [
        {
          name: 'kill loops and fuzz at full size: packages, without the lock',
          command: path.join(bin, 'vitest'),
          args: ['run', '--config', 'vitest.deep.config.ts', 'packages/', '--exclude', 'packages/vault-lock/**'],
        },
      ],
      [
        {
          name: 'each package installed alone, and on Bun, Deno and Windows',
          command: process.execPath,
          args: ['tools/install-test.mjs', '--built'],
        },
        {
          name: 'the tests that hold on Windows, under Wine',
          command: process.execPath,
          args: ['tools/windows-test.mjs'],
        },
        { name: 'the quick tests on a newer Node', command: process.execPath, args: ['tools/newer-node.mjs'] },
        {
          name: 'kill loops and fuzz at full size: the lock, and everything else',
          command: path.join(bin, 'vitest'),
          args: ['run', '--config', 'vitest.deep.config.ts', '--exclude', 'packages/!(vault-lock)/**'],
        },
      ],
    ],
  },
}

/** @param {string} tier */
async function runTier(tier) {
  const legs = tiers[tier]
  if (legs === undefined) throw new TypeError(`no tier "${tier}"; there are ${Object.keys(tiers).join(' and ')}`)
  const first = await runLane(legs.first)
  const lanes = await Promise.all(legs.lanes.map((lane, i) => runLane(lane, { isLater: i > 0 })))
  const ended = [first, ...lanes].flat()
  const tallies = ended.flatMap(({ tally }) => (tally === undefined ? [] : [tally]))
  finish(
    tier,
    sumOf(tallies),
    ended.flatMap(({ name, code }) => (code === 0 ? [] : [name])),
  )
}

/** @typedef {{ readonly name: string, readonly code: number, readonly tally: Tally | undefined }} Ended */

/** One leg after the other. @param {readonly Leg[]} legs @param {{ readonly isLater?: boolean }} [options] @returns {Promise<readonly Ended[]>} */
async function runLane(legs, { isLater = false } = {}) {
  /** @type {Ended[]} */
  const ended = []
  for (const leg of legs) ended.push(await runLeg(leg, isLater))
  return ended
}

/** @param {Leg} leg @param {boolean} isLater what it prints is shown when it ends @returns {Promise<Ended>} */
async function runLeg({ name, command, args }, isLater) {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'agentm-tally-'))
  const [file, printed] = [path.join(scratch, 'tally.json'), path.join(scratch, 'printed')]
  const began = performance.now()
  const output = isLater ? openSync(printed, 'w') : undefined
  try {
    if (!isLater) console.log(`\n== ${name} ==`)
    const code = await run(command, args, { AGENTM_TALLY: file }, output)
    if (isLater) console.log(`\n== ${name} ==\n${readFileSync(printed, 'utf8')}`)
    console.log(`== ${name}: ${Math.round((performance.now() - began) / 1000)} s ==`)
    return { name, code, tally: readTally(file) }
  } finally {
    if (output !== undefined) closeSync(output)
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
