#!/usr/bin/env node
// @ts-check
/**
 * From which similarity on texts count as alike, measured on labelled pairs: which agent a step is for, which two agents are
 * one, which two beliefs say the same, which two episodes are about the same.
 *
 *     npm run eval -- thresholds [--seed N] [--pairs N] [--json FILE] [--write]
 *
 * A threshold is chosen on generated pairs of one seed, and for agents on half of those written by hand; what it does is
 * measured on pairs of another seed and on the other pairs written by hand. `--write` puts the table into docs/scoreboard.md. The numbers in use are in
 * packages/memory/src/ranking/pure/calibration.ts: where they differ from what was measured, this says so and fails.
 */
import { writeFileSync } from 'node:fs'
import { openStaticEmbedder } from '../../packages/embedder-static/dist/index.js'
import { grantedTools } from '../../packages/planner/dist/pure/granted-tools.js'
import { capabilityText } from '../../packages/planner/dist/pure/capability.js'
import { lexicalFit, lexicalName, vectorFit } from '../../packages/planner/dist/pure/fit.js'
import { seedRoles } from '../../packages/planner/dist/pure/seed-roles.js'
import { thresholdsOf } from '../../packages/memory/dist/ranking.js'
import { writeSection } from '../bench/scoreboard.mjs'
import { parseArgs } from 'node:util'
import { numberIn, orWrongUse } from '../options.mjs'
import { beliefPairs, handWrittenBeliefs } from './thresholds/beliefs.mjs'
import { episodePairs } from './thresholds/episodes.mjs'
import { lowestAt, qualityAt } from './thresholds/separate.mjs'
import { generatedSteps, handWrittenSteps } from './thresholds/steps.mjs'
import { agentPairs, rolePairs } from './thresholds/trades.mjs'

/** @typedef {import('./thresholds/separate.mjs').Scored} Scored */
/** @typedef {keyof import('../../packages/memory/dist/ranking.js').Thresholds} Name */
/** @typedef {{ readonly name: string, readonly fit: (a: string, b: string) => number }} Comparer */
/** @typedef {{ readonly name: Name, readonly precision: number, readonly of: (comparer: Comparer, seed: number) => readonly Scored[], readonly byHand?: (comparer: Comparer) => readonly Scored[], readonly isChosenByHand?: boolean, readonly alsoOn?: (comparer: Comparer) => readonly Scored[] }} Question */

const command = 'npm run eval -- thresholds'
const { values } = orWrongUse(command, () =>
  parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      pairs: { type: 'string', default: '600' },
      json: { type: 'string' },
      write: { type: 'boolean' },
    },
  }),
)
const [seed, many] = orWrongUse(command, () => [numberIn('--seed', values.seed), numberIn('--pairs', values.pairs)])

const everyTool = [
  'shell',
  'files_read',
  'files_list',
  'files_write',
  'files_edit',
  'http',
  'http_send',
  'memory_recall',
  'memory_save',
]
const roster = seedRoles.map((role) => {
  const { tools } = grantedTools(
    role,
    everyTool.map((name) => ({ name, nature: /** @type {const} */ ('pure') })),
  )
  return {
    role: role.slug,
    text: capabilityText({ role: role.slug, description: role.description, domains: role.domains, tools }),
  }
})

const rosters = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]

/** @type {readonly Question[]} */
const questions = [
  {
    name: 'route',
    precision: 0.95,
    of: (comparer, from) => bestFits(comparer, generatedSteps(from, many)),
    byHand: (comparer) => bestFits(comparer, handWrittenSteps),
    isChosenByHand: true,
  },
  {
    name: 'upgrade',
    precision: 0.9,
    of: (comparer, from) => bestFits(comparer, generatedSteps(from, many)),
    byHand: (comparer) => bestFits(comparer, handWrittenSteps),
    isChosenByHand: true,
  },
  {
    name: 'provisionDedup',
    precision: 0.99,
    of: (comparer, from) => scored(comparer, agentPairs(from, many)),
    // One wrong merge among the three roles there are would give its work to the wrong agent for good.
    alsoOn: (comparer) => scored(comparer, rolePairs()),
  },
  {
    name: 'beliefDedup',
    precision: 0.98,
    of: (comparer, from) => scored(comparer, beliefPairs(from, many)),
    byHand: (comparer) => scored(comparer, handWrittenBeliefs),
  },
  { name: 'cluster', precision: 0.95, of: (comparer, from) => scored(comparer, episodePairs(from, many)) },
]

const comparers = [await byDefaultEmbedder(), { name: lexicalName, fit: lexicalFit }]
const rows = comparers.flatMap((comparer) => questions.map((question) => measured(comparer, question)))
const table = markdown(rows)
console.log(table)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ rows }, null, 2)}\n`)
if (values.write === true) await writeSection('Similarity thresholds', table)
const other = rows.filter(({ threshold, inUse }) => threshold !== inUse)
for (const { by, name, threshold, inUse } of other)
  console.error(`${by}: ${name} was measured as ${threshold}; in use is ${inUse}`)
process.exitCode = other.length === 0 ? 0 : 1

/** @param {Comparer} comparer @param {Question} question */
function measured(comparer, { name, precision, of, byHand, isChosenByHand, alsoOn }) {
  const written = byHand?.(comparer) ?? []
  const [chosenBy, heldOut] = isChosenByHand === true ? halves(written) : [[], written]
  const threshold = lowestAt([of(comparer, seed), chosenBy, alsoOn?.(comparer) ?? []], precision)
  return {
    by: comparer.name,
    name,
    wanted: precision,
    threshold,
    inUse: thresholdsOf(comparer.name)[name],
    generated: qualityAt(of(comparer, seed + 1), threshold),
    byHand: heldOut.length === 0 ? undefined : qualityAt(heldOut, threshold),
  }
}

/** @param {number} i */
function groupOf(i) {
  return Math.floor(i / rosters.length)
}

/** Groups of seven, one step and all its rosters, stay together. @param {readonly Scored[]} all @returns {[Scored[], Scored[]]} */
function halves(all) {
  return [all.filter((_, i) => groupOf(i) % 2 === 0), all.filter((_, i) => groupOf(i) % 2 === 1)]
}

/**
 * A roster is made as it is needed, so whoever a step is for may not be in it yet. Each step meets every roster there can be;
 * the agent that fits best is right where it is of the step's role.
 * @param {Comparer} comparer @param {readonly import('./thresholds/steps.mjs').LabelledStep[]} steps @returns {Scored[]}
 */
function bestFits({ fit }, steps) {
  return steps.flatMap(({ role, text }) => {
    const fits = roster.map((agent) => ({ role: agent.role, score: fit(text, agent.text) }))
    return rosters.map((present) => {
      const best = fits
        .filter((_, i) => present.includes(i))
        .reduce((found, each) => (each.score > found.score ? each : found))
      return { score: best.score, same: best.role === role }
    })
  })
}

/** @param {Comparer} comparer @param {readonly import('./thresholds/trades.mjs').Pair[]} pairs @returns {Scored[]} */
function scored({ fit }, pairs) {
  return pairs.map(({ a, b, same }) => ({ score: fit(a, b), same }))
}

/** @returns {Promise<Comparer>} */
async function byDefaultEmbedder() {
  const embedder = await openStaticEmbedder()
  const texts = [
    ...roster.map(({ text }) => text),
    ...[...handWrittenSteps, ...generatedSteps(seed, many), ...generatedSteps(seed + 1, many)].map(({ text }) => text),
    ...[
      handWrittenBeliefs,
      rolePairs(),
      ...[agentPairs, beliefPairs, episodePairs].flatMap((of) => [of(seed, many), of(seed + 1, many)]),
    ]
      .flat()
      .flatMap(({ a, b }) => [a, b]),
  ]
  const vectors = await embedder.embed(texts)
  const known = new Map(texts.map((text, i) => [text, vectors[i]]))
  return { name: embedder.name, fit: (a, b) => vectorFit(known.get(a), known.get(b)) }
}

/** @param {readonly ReturnType<typeof measured>[]} results */
function markdown(results) {
  return [
    'From which similarity on two texts count as alike, by who compares them: the lowest that is as precise as wanted on',
    'generated pairs of one seed, and for agents on half of the pairs written by hand. Beside it precision / recall (pairs) on',
    'pairs of another seed and on the other pairs written by hand. `npm run eval -- thresholds --write` measures it again.',
    '',
    '| compared by | decides | wanted | from | generated | by hand |',
    '|---|---|---:|---:|---:|---:|',
    ...results.map(
      ({ by, name, wanted, threshold, generated, byHand }) =>
        `| ${by} | ${name} | ${figure(wanted)} | ${threshold.toFixed(2)} | ${quality(generated)} | ${quality(byHand)} |`,
    ),
  ].join('\n')
}

/** @param {number} share */
function figure(share) {
  return Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`
}

/** @param {import('./thresholds/separate.mjs').Quality | undefined} found */
function quality(found) {
  return found === undefined ? '–' : `${figure(found.precision)} / ${figure(found.recall)} (${found.pairs})`
}
