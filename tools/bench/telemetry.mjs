// @ts-check
/** What traces and metrics cost: the processor time of durable steps with telemetry, compared with the same steps without it. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandKind } from '@agentm/harness'
import { openTelemetry } from '@agentm/telemetry'
import { compare, interleave, NotMeasurable } from './frame.mjs'
import { harnessOf, manySteps, nothing, workUntil } from './harness/plans.mjs'
import { openStore, sqlite } from './harness/stores.mjs'

export const packages = ['@agentm/telemetry', '@agentm/harness', '@agentm/nodes-sqlite']

const atOnce = 16
const warmUpRounds = 3
/** Longer than spans wait until they are sent, so that each round pays for its own. */
const untilSentMs = 300

/** @typedef {import('@agentm/harness').StepKind} StepKind */
/** @typedef {{ readonly count: number, readonly kind: StepKind, readonly step: Partial<import('@agentm/harness').NewStep> }} Work */

/** @type {Work} */
const empty = { count: 1600, kind: nothing(), step: { nature: 'effectful' } }
/** The least that a step of a worker does. @type {Work} */
const program = { count: 160, kind: commandKind(), step: { kind: 'command', input: { command: 'true' } } }

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'O1',
    what: `durable steps that do nothing, ${atOnce} at once, with traces and metrics`,
    unit: 'µs of processor time',
    better: 'less',
    goals: [{ of: 'floor', atLeast: 0.97 }],
    measure: async (settings) => overhead(settings, empty, {}),
  },
  {
    id: 'O2',
    what: 'the same, with metrics alone',
    unit: 'µs of processor time',
    better: 'less',
    goals: [{ of: 'floor', atLeast: 0.97 }],
    measure: async (settings) => overhead(settings, empty, { OTEL_TRACES_EXPORTER: 'none' }),
  },
  {
    id: 'O3',
    what: `steps that start a program, ${atOnce} at once, with traces and metrics`,
    unit: 'µs of processor time',
    better: 'less',
    goals: [{ of: 'floor', atLeast: 0.97 }],
    measure: async (settings) => overhead(settings, program, {}),
  },
]

/**
 * @param {import('./frame.mjs').Settings} settings
 * @param {Work} work
 * @param {Readonly<Record<string, string>>} variables
 * @returns {Promise<import('./frame.mjs').Measurement>}
 */
async function overhead({ repeats, scale, scratch }, work, variables) {
  const collector = await startCollector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100', ...variables }
  // The exporters read the address from the environment of the process.
  Object.assign(process.env, env)
  const telemetry = await openTelemetry({ env })
  if (telemetry === undefined) throw new NotMeasurable('telemetry was not opened')
  const plain = await openStore(await sqlite.newAddress(scratch, 'telemetry'))
  const observed = telemetry.store(plain, { owners: ['ada'] })
  const count = Math.max(atOnce, Math.round(work.count * scale))
  let plans = 0
  /** @param {import('@agentm/nodes').NodeStore} store @param {StepKind} kind */
  const perStep = async (store, kind) => {
    const owner = `ada${(plans += 1)}`
    const before = process.cpuUsage()
    await harnessOf(store, owner).createPlan({ goal: 'much', steps: manySteps(count, work.step) })
    await workUntil(store, { owner, slots: atOnce, kind, done: (ended) => ended === count })
    await telemetry.settled()
    await sleep(untilSentMs)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  }
  const contenders = {
    ours: () => perStep(observed, telemetry.kind(work.kind)),
    floor: () => perStep(plain, work.kind),
  }
  for (let round = 0; round < warmUpRounds; round++) for (const run of Object.values(contenders)) await run()
  const figures = await interleave(contenders, Math.max(9, Math.round(repeats * scale)))
  await plain.close()
  await telemetry.close()
  await collector.close()
  for (const name of Object.keys(env)) delete process.env[name]
  const says = `per step, planned and done, durability ${sqlite.durability.full}; the floor is the same without telemetry; the collector is another process`
  return { ...compare(figures, 'less'), notes: [says] }
}

/** Takes what is sent, and looks at nothing. */
const collectorCode = `
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume().on('end', () => process.exit())`

async function startCollector() {
  const child = spawn(process.execPath, ['-e', collectorCode], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const port = await new Promise((resolve) =>
    child.stdout.once('data', (/** @type {Buffer} */ text) => resolve(Number(text))),
  )
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
