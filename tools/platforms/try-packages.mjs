// @ts-check
/**
 * The packages as somebody installs them, on a runtime that is not the Node of this machine: both backends and the SQLite log held
 * to their contracts, the README examples, and the first minute of the command.
 */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exec } from '../install/exec.mjs'
import { examplesIn, isSameOutput } from '../install/readme-examples.mjs'
import { outcome } from '../install/outcome.mjs'
import { settled } from './settled.mjs'

/** @typedef {import('../install/outcome.mjs').Check} Check */
/** @typedef {import('../install/outcome.mjs').Trial} Trial */
/** @typedef {import('./runtimes.mjs').Runtime} Runtime */

const here = import.meta.dirname
const backends = [
  { name: 'backend-device-local', settings: {} },
  { name: 'backend-vault', settings: { vault_path: '{directory}' } },
]
const rooms = ['storage-seam', 'vault-lock', 'selection', 'routing', 'nodes', 'nodes-sqlite', 'memory']

/**
 * @param {Runtime} runtime
 * @param {{ readonly folder: string, readonly scope: string }} installed
 * @returns {Promise<Check[]>}
 */
export async function tryPackages({ name, command }, { folder, scope }) {
  const [program, ...flags] = command
  const place = await mkdtemp(path.join(folder, 'run-'))
  const env = { PATH: process.env['PATH'], HOME: place, XDG_CACHE_HOME: path.join(place, '.cache') }
  const run = async (/** @type {readonly string[]} */ args) => exec(program, [...flags, ...args], { cwd: place, env })
  const suite = path.join(folder, 'node_modules', scope, 'conformance/bin/agentm-conformance.mjs')
  /** @type {Trial[]} */
  const trials = [
    ...backends.map((backend) => ({
      what: `${backend.name} keeps its contracts`,
      go: async () => run([suite, `${scope}/${backend.name}`, '--settings', JSON.stringify(backend.settings)]),
    })),
    {
      what: 'nodes-sqlite keeps its contracts',
      go: async () => {
        await cp(path.join(here, 'keep-logs.mjs'), path.join(place, 'keep-logs.mjs'))
        await run([path.join(place, 'keep-logs.mjs')])
      },
    },
    ...[...backends.map((backend) => backend.name), ...rooms].map((room) => ({
      what: `the README of ${room} says what happens`,
      go: async () => runExamples(path.join(folder, 'node_modules', scope, room), { place, run }),
    })),
  ]
  /** @type {Check[]} */
  const checks = []
  for (const { what, go } of trials) checks.push(await outcome({ what: `on ${name}, ${what}`, go }))
  return checks
}

/**
 * What was typed and what it answered, on whatever runs `play.mjs`.
 * @param {(args: readonly [script: string, transcript: string]) => Promise<unknown>} run
 * @param {string} folder
 */
export async function playFirstMinute(run, folder) {
  const place = await mkdtemp(path.join(folder, 'minute-'))
  const [script, transcript] = [path.join(place, 'play.mjs'), path.join(place, 'transcript.json')]
  await cp(path.join(here, 'play.mjs'), script)
  try {
    await run([script, transcript])
  } catch (error) {
    throw new Error(`${String(error)}\n${await told(transcript).catch(() => '')}`, { cause: error })
  }
  return told(transcript)
}

/** @param {string} transcript */
async function told(transcript) {
  return settled(JSON.parse(await readFile(transcript, 'utf8')))
}

/**
 * @param {string} room
 * @param {{ readonly place: string, readonly run: (args: readonly string[]) => Promise<{ readonly stdout: string }> }} world
 */
async function runExamples(room, { place, run }) {
  const all = examplesIn(await readFile(path.join(room, 'README.md'), 'utf8'))
  const examples = all.filter(({ kind }) => kind === 'js' || kind === 'ts')
  if (examples.length === 0) throw new Error('it has no example')
  for (const { kind, code, line, output } of examples) {
    // These runtimes run TypeScript as it is.
    const file = path.join(place, kind === 'ts' ? 'example.mts' : 'example.mjs')
    await writeFile(file, code)
    const { stdout } = await run([file])
    if (output !== undefined && !isSameOutput(stdout, output))
      throw new Error(`line ${line} printed\n${stdout}\nand the README says\n${output}`)
  }
}
