#!/usr/bin/env node
// @ts-check
/**
 * Whether consolidation without a model comes to the end of a long backlog, how long it takes, and what the longest time was in
 * which no timer of its process could run: a lease that cannot be renewed is lost.
 *
 *     npm run eval -- backlog [--observations N] [--seed N] [--json FILE]
 *
 * Six observations of ten are tool output, some of it long. Processor time is printed beside the clock's, because a busy machine says
 * little by the clock.
 */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { openStaticEmbedder } from '../../packages/embedder-static/dist/index.js'
import { consolidate, consolidationCursor } from '../../packages/learning/dist/index.js'
import { observation, semanticMemory } from '../../packages/memory/dist/index.js'
import { openSqliteStore } from '../../packages/nodes-sqlite/dist/index.js'
import { filePath } from '../../packages/vault-lock/dist/index.js'
import { numberIn, orWrongUse } from '../options.mjs'
import { randomFrom } from './recall/random-from.mjs'
import { facts, fillers, projects, services } from './recall/vocabulary.mjs'

const command = 'npm run eval -- backlog'
const { values } = orWrongUse(command, () =>
  parseArgs({
    options: {
      observations: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  }),
)
const [observations, seed] = orWrongUse(command, () => [
  numberIn('--observations', values.observations),
  numberIn('--seed', values.seed),
])
const { pick, below } = randomFrom(seed)
const kinds = [
  'tool_result',
  'tool_result',
  'tool_result',
  'tool_result',
  'tool_result',
  'error',
  'note',
  'note',
  'note',
  'decision',
]
const atOnce = 1000

const home = await mkdtemp(path.join(os.tmpdir(), 'agentm-backlog-'))
const concepts = [observation, semanticMemory, consolidationCursor]
const store = await openSqliteStore({ path: filePath(path.join(home, 'nodes.db')), concepts })
const embedder = await openStaticEmbedder()
try {
  for (let done = 0; done < observations; done += atOnce) await observe(done, Math.min(atOnce, observations - done))
  const delay = monitorEventLoopDelay()
  delay.enable()
  const [began, used] = [performance.now(), process.cpuUsage()]
  const report = await consolidate({ store, embedder }, { owner: 'ada' })
  const { user, system } = process.cpuUsage(used)
  delay.disable()
  const measured = {
    observations,
    read: report.episodes,
    more: report.more,
    failed: report.failed.length,
    beliefs: report.created.length,
    confirmed: report.reinforced.length,
    seconds: round((performance.now() - began) / 1000),
    processorSeconds: round((user + system) / 1e6),
    longestTurnSeconds: round(delay.max / 1e9),
    megabytes: Math.round(process.memoryUsage().rss / 1e6),
  }
  for (const [name, value] of Object.entries(measured)) console.log(`${name.padEnd(20)}${String(value).padStart(10)}`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`)
  process.exitCode = report.more || report.episodes < observations ? 1 : 0
} finally {
  await store.close()
  await rm(home, { recursive: true, force: true })
}

function line() {
  const [service, fact] = [pick(services), pick(facts)]
  const said = below(3) === 0 ? fact.first(service, pick(fact.values)) : pick(fact.later)(service, pick(fact.values))
  return `${pick(projects)}: ${said} ${pick(fillers)}${below(4) === 0 ? ` Run ${below(100_000)}.` : ''}`
}

/** @param {number} done @param {number} many */
async function observe(done, many) {
  const drafts = Array.from({ length: many }, (_, i) => {
    const kind = pick(kinds)
    const lines = kind === 'tool_result' && below(20) === 0 ? 40 : 1
    const content = Array.from({ length: lines }, line).join('\n')
    const payload = { ownerUserId: 'ada', planId: `v1:harness:plan:p${Math.floor((done + i) / 20)}`, kind, content }
    return { concept: observation.name, mutation: 'record', payload }
  })
  const vectors = await embedder.embed(drafts.map(({ payload }) => payload.content))
  const withVectors = drafts.map((draft, i) => ({
    ...draft,
    vector: { embedder: embedder.name, values: vectors[i] ?? [] },
  }))
  await store.log.append(withVectors, { owner: 'ada', actor: 'worker', partition: pick(projects.slice(0, 3)) })
}

/** @param {number} figure */
function round(figure) {
  return Math.round(figure * 100) / 100
}
