// @ts-check
/**
 * Questions about what was so before or after an event, among notes that say what changed and notes that report events. Some reports speak
 * of the thing that is asked for, too, without saying how it was. Every project has all of them, at other times.
 */
import { randomFrom } from './random-from.mjs'
import { projects } from './vocabulary.mjs'

/** @typedef {{ readonly values: readonly string[], readonly told: (value: string) => string, readonly asked: string, readonly beside: string }} Thing */

/** @type {readonly Thing[]} */
const things = [
  {
    values: ['Alpha', 'Bravo', 'Cobalt', 'Delft'],
    told: (value) => `The linter is ${value}.`,
    asked: 'which linter did P use',
    beside: 'The linter took longest.',
  },
  {
    values: ['Postgres', 'MySQL', 'Oracle', 'SQLite'],
    told: (value) => `We keep orders in a ${value} database.`,
    asked: 'what database did P keep orders in',
    beside: 'The database was copied overnight.',
  },
  {
    values: ['Hetzner', 'Linode', 'Fly', 'Render'],
    told: (value) => `Our host is ${value}, paid by the month.`,
    asked: 'who was the host of P',
    beside: 'The host had been warned.',
  },
  {
    values: ['Monday', 'Tuesday', 'Thursday', 'Friday'],
    told: (value) => `The weekly meeting takes place on ${value}.`,
    asked: 'when was the weekly meeting of P',
    beside: 'We spoke of it in the weekly meeting.',
  },
  {
    values: ['Nadia', 'Jonas', 'Amara', 'Kenji'],
    told: (value) => `${value} is the lead from now on.`,
    asked: 'who was the lead of P',
    beside: 'The lead brought a cake.',
  },
]
/** What is reported, and how a question names it. @type {readonly (readonly [told: string, asked: string])[]} */
const events = [
  ['The cluster migration is finished.', 'the cluster migration'],
  ['The security audit found nothing serious.', 'the security audit'],
  ['The office move is over and the boxes are unpacked.', 'the office move'],
  ['Our public launch went well; nobody called.', 'our public launch'],
]
const statesApart = 130
const dayMs = 86_400_000
const firstDay = Date.UTC(2024, 0, 1)

/** @param {number} seed @returns {import('../recall.mjs').LabelledSet} */
export function eventsSet(seed) {
  const random = randomFrom(seed)
  /** @type {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote[]} */
  const corpus = []
  /** @param {string} project @param {string} text @param {number} day */
  const add = (project, text, day) => {
    const id = `n${corpus.length + 1}`
    corpus.push({ id, title: `${project} log`, text, at: new Date(firstDay + day * dayMs).toISOString() })
    return { id, day }
  }
  const asked = projects.flatMap((project) => {
    const states = things.map((thing) =>
      thing.values.map((value, i) => add(project, thing.told(value), i * statesApart + random.below(60))),
    )
    return events.flatMap(([told, name]) => {
      const beside = random.below(3) === 0 ? random.pick(things) : undefined
      // After the first state of each thing and before the last.
      const report = add(project, [told, beside?.beside].join(' ').trim(), 70 + random.below(310))
      return things.flatMap((thing, i) => {
        const before = states[i]?.filter(({ day }) => day < report.day).at(-1)
        const after = states[i]?.find(({ day }) => day > report.day)
        const what = thing.asked.replace('P', project)
        const both = thing === beside ? ', told with it' : ''
        return [
          { text: `${what} before ${name}?`, gold: [before?.id ?? ''], kind: `before${both}` },
          { text: `${what} after ${name}?`, gold: [after?.id ?? ''], kind: `after${both}` },
        ]
      })
    })
  })
  const queries = random.some(asked, 200).map((each, i) => ({ id: `q${i + 1}`, ...each }))
  return { name: `events, seed ${seed}`, corpus, queries }
}
