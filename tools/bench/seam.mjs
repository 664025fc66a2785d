// @ts-check
/** How long another process waits for an answer of the seam and the session hook, from nothing, beside starting Node at all. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../run.mjs'
import { compare, interleave } from './frame.mjs'

const exec = promisify(execFile)
const seam = path.join(root, 'packages/process-seam/bin/agentm-process-seam.mjs')
const counter = path.join(root, 'tools/count-opens.mjs')
const agentm = path.join(root, 'packages/cli/bin/agentm.mjs')

export const packages = ['@agentm/process-seam', '@agentm/cli']

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  coldStart('P1', 'seam state-path plan, in a vault', [seam, 'state-path', 'plan'], 150),
  coldStart('P2', 'hook session-start, in a vault', [agentm, 'hook', 'session-start'], 500),
  fromNothing('P3-save', 'agentm save from nothing', [agentm, 'save', 'The harbour closes at nine.', '--kind', 'fact']),
  fromNothing('P3-recall', 'agentm recall from nothing', [agentm, 'recall', 'harbour']),
  fromNothing('P3-status', 'agentm status from nothing', [agentm, 'status']),
]

/**
 * How long a person waits for a command, and how many modules it loads.
 * @param {string} id @param {string} what @param {readonly string[]} command
 * @returns {import('./frame.mjs').Case}
 */
function fromNothing(id, what, command) {
  return {
    id,
    what,
    unit: 'ms',
    better: 'less',
    goals: [],
    async measure({ repeats, scale, scratch }) {
      const { cwd, env } = await checkoutWithVault(path.join(scratch, id))
      await milliseconds([agentm, 'save', 'The harbour master is Ada.', '--kind', 'fact'], { cwd, env })
      const figures = await interleave(
        {
          ours: async () => milliseconds(command, { cwd, env }),
          floor: async () => milliseconds(['-e', '0'], { cwd, env }),
        },
        Math.max(3, Math.round(repeats * scale)),
      )
      const counts = path.join(scratch, `${id}.json`)
      await milliseconds(['--import', counter, ...command], { cwd, env: { ...env, AGENTM_COUNTS: counts } })
      const { modules } = JSON.parse(await readFile(counts, 'utf8'))
      return { ...compare(figures, 'less'), counts: { modules }, notes: ['the floor is node -e 0'] }
    },
  }
}

/**
 * @param {string} id @param {string} what @param {readonly string[]} command @param {number} atMost
 * @returns {import('./frame.mjs').Case}
 */
function coldStart(id, what, command, atMost) {
  return {
    id,
    what,
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost }],
    async measure({ repeats, scale, scratch }) {
      const { cwd, env } = await checkoutWithVault(scratch)
      const figures = await interleave(
        {
          ours: async () => milliseconds(command, { cwd, env }),
          floor: async () => milliseconds(['-e', '0'], { cwd, env }),
        },
        Math.max(3, Math.round(repeats * scale)),
      )
      return { ...compare(figures, 'less'), notes: ['the floor is node -e 0'] }
    },
  }
}

/** @param {readonly string[]} args @param {{ cwd: string, env: NodeJS.ProcessEnv }} where */
async function milliseconds(args, where) {
  const started = performance.now()
  const child = exec(process.execPath, [...args], where)
  child.child.stdin?.end('{}')
  await child
  return performance.now() - started
}

/** @param {string} scratch */
async function checkoutWithVault(scratch) {
  const cwd = path.join(scratch, 'acme')
  const plans = path.join(scratch, 'vault/projects/acme/_harness')
  await Promise.all([cwd, plans, path.join(scratch, '.claude')].map((each) => mkdir(each, { recursive: true })))
  await exec('git', ['init', '-q', cwd])
  await exec('git', ['-C', cwd, 'remote', 'add', 'origin', 'https://github.com/me/acme.git'])
  await writeFile(path.join(plans, 'PLAN.md'), '# Plan\n')
  const config = { 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': path.join(scratch, 'vault') }
  await writeFile(path.join(scratch, '.claude/.agentm-config.json'), JSON.stringify(config))
  return { cwd, env: { PATH: process.env['PATH'], HOME: scratch, XDG_CACHE_HOME: path.join(scratch, '.cache') } }
}
