// @ts-check
/** The scoreboard as a page: five figures, what we lose, then everything, with what it holds for. */
import { glance } from './glance.mjs'
import { losses } from './losses.mjs'
import { inOrder } from './order.mjs'
import { figure, percent, row } from './words.mjs'

/** @typedef {import('../scoreboard.mjs').Board} Board */
/** @typedef {import('../scoreboard.mjs').BenchRun} BenchRun */
/** @typedef {import('../scoreboard.mjs').RecallRun} RecallRun */

/** @type {Readonly<Record<string, string>>} */
const titles = {
  storage: 'Storage: durable writes',
  'nodes-sqlite': 'Nodes on SQLite',
  'nodes-postgres': 'Nodes on PostgreSQL',
  recall: 'Recall: how long an answer takes',
  'recall-size': 'Recall among many and long notes',
  mcp: 'MCP server',
  seam: 'Other processes and the session hook',
  harness: 'Harness: plans, steps, lost workers',
  sleepers: 'Sleeping functions: start, memory and punctuality of a worker beside many',
  telemetry: 'Telemetry: the processor time of steps with traces and metrics',
  functions: 'Functions: three programs, beside DBOS and OpenWorkflow',
  gates: 'Gates: checking the source',
}

const head = `# Scoreboard

How fast agentm is, and how often it is right. Every figure was measured in the same run as a floor, which is the least that any
honest implementation must do, and as what you could use instead; they take turns. A ratio is the median of the ratios of all rounds.
Above 1, agentm is better. Nobody reaches a floor, because it does none of the work. \`npm run bench\` writes this page, and
\`npm run bench -- recall --scoreboard\` one part of it.`

/** @param {Board} board @param {readonly string[]} drawn names of the charts there are */
export function page(board, drawn) {
  const parts = [
    head,
    ...glance(board),
    lossPart(board),
    ...(drawn.length > 0 ? [drawn.map((name) => `![${name}](charts/${name}.svg)`).join('\n\n')] : []),
    ...(Object.keys(board.recall).length > 0 ? [recallPart(board.recall)] : []),
    ...inOrder(board.benches).map(([name, run]) => benchPart(titles[name] ?? name, run)),
    ...Object.entries(board.sections).map(([name, markdown]) => `## ${name}\n\n${markdown}`),
  ]
  return `${parts.join('\n\n')}\n`
}

/** @param {Board} board */
function lossPart(board) {
  const lost = losses(board)
  return `## What we lose\n\n${lost.length === 0 ? 'Nothing of what was measured.' : lost.map((line) => `- ${line}`).join('\n')}`
}

/** @param {Board['recall']} recall */
function recallPart(recall) {
  const says = `Labelled questions, each asked of the whole set. R@k is the share of right notes among the first k. \`ours\` is
the engine over real files, as it is installed. The others hold the same texts in memory. \`npm run eval -- recall --data DIR\` prints every kind of question.`
  return ['## Recall: what is found', says, ...Object.entries(recall).map(([name, run]) => setPart(name, run))].join(
    '\n\n',
  )
}

/** @param {string} name @param {RecallRun} run */
function setPart(name, { at, machine, notes, questions, results }) {
  const rows = results.map((each) =>
    row([
      each.id,
      ...[each.recallAt1, each.recallAt5, each.recallAt10, each.mrr, each.ndcgAt10].map(percent),
      figure(each.p50),
      figure(each.p95),
    ]),
  )
  return `### ${name}: ${notes} notes, ${questions} questions

${row(['', 'R@1', 'R@5', 'R@10', 'MRR', 'nDCG@10', 'p50 ms', 'p95 ms'])}
${row(['---', ...Array.from({ length: 7 }, () => '--:')])}
${rows.join('\n')}

${at}, ${machine}.`
}

/** @param {string} title @param {BenchRun} run */
function benchPart(title, { at, machine, settings, seconds, versions, results, failures, left }) {
  const rows = results.map((result) => row([...cellsOf(result), result.goal === '' ? '' : verdict(result)]))
  const notes = results.flatMap(({ id, notes: said }) =>
    Array.isArray(said) ? said.map((note) => `- ${id}: ${note}`) : [],
  )
  return [
    `## ${title}`,
    [row(['', '', 'ours', 'floor', '× floor', 'instead', 'counted', 'goal']), row(columns), ...rows].join('\n'),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    ...Object.entries(failures).map(([id, why]) => `${id} could not be measured: ${why}`),
    ...(left.length > 0 ? [`Measured with \`--full\` only: ${left.join(', ')}.`] : []),
    `${at}, ${machine}, ${settings}, ${Math.round(seconds)} s; ${versionsText(versions)}.`,
  ].join('\n\n')
}

const columns = ['---', '---', '--:', '--:', '--:', '---', '---', '---']

/** @param {import('../frame.mjs').Result} result */
function cellsOf({ id, what, unit, ours, floor, ratio, peers, peerRatios, ...more }) {
  const beside = Object.entries(peers).map(([name, each]) => {
    const times = peerRatios[name]
    return `${name} ${figure(each)}${times === undefined ? '' : ` (${figure(times)}×)`}`
  })
  const counted = Object.entries(more).flatMap(([name, value]) =>
    typeof value === 'number' ? [`${value} ${name}`] : [],
  )
  return [
    id,
    what,
    `${figure(ours)} ${unit}`,
    floor === null ? '' : figure(floor),
    ratio === null ? '' : `${figure(ratio)}×`,
    beside.join('; '),
    counted.join(', '),
  ]
}

/** @param {import('../frame.mjs').Result} result */
function verdict({ goal, ok }) {
  return ok ? goal : `**missed:** ${goal}`
}

/** Without what the machine's own line says. @param {Readonly<Record<string, string>>} versions */
function versionsText({ node: _node, system: _system, ...versions }) {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}
