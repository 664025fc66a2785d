// @ts-check
/** The five figures a user asks for first, out of everything that was measured. */
import { figure, percent, row } from './words.mjs'

/** @typedef {import('../scoreboard.mjs').Board} Board */
/** @typedef {import('../frame.mjs').Result} Result */

/** @type {readonly { readonly question: string, readonly id: string, readonly floor?: string }[]} */
const timed = [
  {
    question: 'How long does `agentm recall` take, from starting the command, among 5,000 notes?',
    id: 'R4-5k',
    floor: 'Node doing nothing',
  },
  {
    question: 'How many changes of one note are kept each second, when eight processes write it? (none lost)',
    id: 'S3-device-local',
  },
  { question: 'How soon does a step go on after its worker was killed?', id: 'W4-sqlite' },
  { question: 'How many durable steps does a plan on PostgreSQL take each second, 16 at once?', id: 'W1-postgres-16' },
]

/** @param {Board} board */
export function glance(board) {
  const results = new Map(
    Object.values(board.benches).flatMap(({ results: all }) => all.map((each) => [each.id, each])),
  )
  const rows = timed.flatMap(({ question, id, floor }) => {
    const result = results.get(id)
    return result === undefined
      ? []
      : [row([question, `${figure(result.ours)} ${result.unit}`, instead(result, floor)])]
  })
  const all = [...found(board), ...rows]
  const table = [row(['', 'agentm', 'instead']), row(['---', '--:', '---']), ...all].join('\n')
  return all.length === 0 ? [] : [`## At a glance\n\n${table}`]
}

/** @param {Result} result @param {string | undefined} floor */
function instead({ unit, floor: least, peers }, floor) {
  const others = Object.entries(peers).map(([name, each]) => `${name}: ${figure(each)} ${unit}`)
  return [...others, ...(floor === undefined || least === null ? [] : [`${floor}: ${figure(least)} ${unit}`])].join(
    '; ',
  )
}

/** @param {Board} board @returns {readonly string[]} */
function found({ recall }) {
  const [name, set] = Object.entries(recall)[0] ?? []
  const [ours, ...others] = set?.results ?? []
  if (name === undefined || set === undefined || ours === undefined) return []
  const question = `How often is a note that answers the question among the first five? (${name}, ${set.questions} questions)`
  return [
    row([question, percent(ours.recallAt5), others.map((each) => `${each.id}: ${percent(each.recallAt5)}`).join('; ')]),
  ]
}
