// @ts-check
/**
 * Eight steps that edit one repository at the same time, in worker processes. Each writes a file of its own and its lines of files that all
 * of them change; then a step checks that nothing is missing.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { harnessConcepts, openHarness } from '@agentm/harness'
import { openTrees } from '@agentm/harness/trees'
import { openSqliteStore } from '@agentm/nodes-sqlite'

const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
const between = 'unchanged\n'.repeat(6)

const check = `
import { readFileSync } from 'node:fs'
const list = readFileSync('list.txt', 'utf8')
const whole = [1, 2, 3, 4, 5, 6, 7, 8].every(
  (n) => list.includes('part ' + n + ' done') && readFileSync('part' + n + '.txt', 'utf8') === 'part ' + n + '\\n',
)
const inOrder = list === [1, 2, 3, 4, 5, 6, 7, 8].map((n) => 'part ' + n + ' done\\n' + ${JSON.stringify(between)}).join('')
process.exit(whole && inOrder ? 0 : 1)
`

/**
 * @typedef {{ readonly slots?: number, readonly atOnce?: number, readonly leaseMs?: number, readonly agents?: import('./eval/crew/kinds.mjs').CrewAgents }} CrewOptions
 *   `agents`: the kinds of steps that the workers have beside commands
 * @param {string} scratch An empty directory.
 * @param {CrewOptions} [options]
 */
export async function openCrew(scratch, { slots = 4, atOnce = 8, leaseMs = 10_000, agents } = {}) {
  const home = realpathSync(scratch)
  const [folder, root, database] = ['work', 'trees', 'log.db'].map((name) => path.join(home, name))
  if (folder === undefined || root === undefined || database === undefined)
    throw new TypeError('three names give three paths')
  mkdirSync(folder)
  /** @param {readonly string[]} args */
  const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  writeFileSync(path.join(folder, 'list.txt'), numbers.map((n) => `part ${n} open\n${between}`).join(''))
  writeFileSync(path.join(folder, 'check.mjs'), check)
  git('add', '-A')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'first')
  const store = await openSqliteStore({ path: database, concepts: harnessConcepts })
  const harness = openHarness({ store, owner: 'ada', actor: 'crew' })
  const trees = openTrees({ log: store.log, root })
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const children = new Set()
  return {
    folder,
    root,
    git,
    harness,
    trees,
    /** Starts a worker process, and resolves once it works. */
    start: async () => {
      const told = JSON.stringify({ database, root, folder, slots, atOnce, leaseMs, agents })
      const script = path.join(import.meta.dirname, 'trees-worker.mjs')
      const child = spawn(process.execPath, [script, told], { stdio: ['pipe', 'pipe', 'inherit'] })
      children.add(child)
      await once(child.stdout, 'data')
      return child
    },
    /**
     * Creates the plan. With `meet`, each step first waits until all eight are at work; `seconds` stand for the time a model takes.
     * @param {{ readonly apart?: boolean, readonly meet?: boolean, readonly seconds?: number }} [how]
     */
    plan: async ({ apart = true, meet = false, seconds = 0 } = {}) => {
      const meeting = path.join(home, `meeting-${Date.now()}`)
      mkdirSync(meeting)
      /** @param {number} n */
      const script = (n) =>
        [
          ...(meet ? [`: > ${meeting}/${n}; while [ $(ls ${meeting} | wc -l) -lt 8 ]; do sleep 0.05; done`] : []),
          `sleep ${seconds}`,
          `echo part ${n} > part${n}.txt`,
          `sed -i 's/^part ${n} open$/part ${n} done/' list.txt`,
        ].join('\n')
      const steps = numbers.map((n) => ({
        key: `part ${n}`,
        title: `part ${n}`,
        kind: 'command',
        input: { command: 'sh', args: ['-ec', script(n)] },
        // A busy machine loses leases, too.
        retry: { maxCrashes: 100 },
      }))
      const last = { key: 'check', title: 'check', kind: 'command', dependsOn: steps.map(({ key }) => key) }
      const field = apart ? { trees: (await trees.plan(folder)).trees } : {}
      const made = await harness.createPlan({
        goal: 'eight parts',
        ...field,
        steps: [...steps, { ...last, input: { command: process.execPath, args: ['check.mjs'] } }],
      })
      return { ...made, place: await trees.of({ owner: 'ada', planId: made.planId }) }
    },
    /**
     * Creates a plan whose parts agents do. Its check runs after the merge.
     * @param {(n: number) => { readonly kind: string, readonly input?: Readonly<Record<string, unknown>> }} stepOf
     */
    planOf: async (stepOf) => {
      const steps = numbers.map((n) => ({
        key: `part ${n}`,
        title: `part ${n}`,
        ...stepOf(n),
        retry: { maxFailures: 3, maxCrashes: 100 },
      }))
      const made = await harness.createPlan({
        goal: 'eight parts',
        trees: (await trees.plan(folder)).trees,
        check: { commands: [{ command: process.execPath, args: ['check.mjs'] }] },
        steps,
      })
      return { ...made, place: await trees.of({ owner: 'ada', planId: made.planId }) }
    },
    /** Ends what was started. The directory is the caller's to remove. */
    close: async () => {
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL')
          await once(child, 'exit')
        }
      await store.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
