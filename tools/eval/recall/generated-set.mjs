// @ts-check
/**
 * A labelled set from a seed: notes as agents leave them in a dozen projects, and questions whose answer is one of them.
 * Each kind of question has its own trap: an older note that says it in more of the question's words, twins that differ
 * in one word, the same subject in every other project, an answer in other words, a date that only `at` knows.
 */
import { randomFrom } from './random-from.mjs'
import {
  decisions,
  facts,
  fillers,
  incidents,
  months,
  paraphrases,
  practices,
  projects,
  regions,
  services,
} from './vocabulary.mjs'

/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote} Note */
/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledQuestion} Query */
/** @typedef {ReturnType<typeof randomFrom>} Random */
/** @typedef {{ random: Random, add: (note: Draft) => string, ask: (kind: string, text: string, gold: string) => void }} Desk */
/** @typedef {{ title: string, text: string, day?: number }} Draft `day` counts from the first of 2023 */

const days = 730

/** @param {number} seed @returns {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledSet} */
export function generatedSet(seed) {
  const random = randomFrom(seed)
  /** @type {Note[]} */
  const corpus = []
  /** @type {Query[]} */
  const queries = []
  const desk = {
    random,
    /** @param {Draft} draft */
    add: ({ title, text, day = random.below(days) }) => {
      const id = `n${String(corpus.length + 1).padStart(4, '0')}`
      corpus.push({ id, title, text: `${text}\n\n${random.pick(fillers)}`, at: dateOf(day).toISOString() })
      return id
    },
    /** @param {string} kind @param {string} text @param {string} gold */
    ask: (kind, text, gold) => void queries.push({ id: `q${queries.length + 1}`, text, gold: [gold], kind }),
  }
  for (const project of projects) {
    addUpdates(desk, project)
    addTwins(desk, project)
    addPractices(desk, project)
    addDecisions(desk, project)
  }
  for (const each of paraphrases)
    desk.ask('paraphrase', each.question, desk.add({ title: each.title, text: each.note }))
  return { name: `generated, seed ${seed}`, corpus, queries }
}

/** The same fact, changed over time; only the newest note is right. @param {Desk} desk @param {string} project */
function addUpdates({ random, add, ask }, project) {
  for (const fact of random.some(facts, 3)) {
    const service = random.pick(services)
    const values = random.some(fact.values, 3)
    const gold = values.map((value, i) =>
      add({
        title: `${project}: ${service} ${fact.name}`,
        // The first note says it in the question's own words, later ones in passing.
        text: (i === 0 ? fact.first : random.pick(fact.later))(service, value),
        day: 60 + i * 200 + random.below(100),
      }),
    )
    ask('update', fact.question(service, project), gold.at(-1) ?? '')
  }
}

/** Incidents alike but for the place and the cause. @param {Desk} desk @param {string} project */
function addTwins({ random, add, ask }, project) {
  const service = random.pick(services)
  const cases = random.some(regions, 4).map((region) => ({ region, cause: random.pick(incidents) }))
  for (const [i, { region, cause }] of cases.entries()) {
    const gold = add({
      title: `${project}: ${service} incident`,
      text: `${service} stopped answering in ${region} for ${random.below(50) + 5} minutes. ${cause.text} Nothing was lost.`,
    })
    if (i < 2) ask('near-duplicate', `Why was ${service} of ${project} down in ${region}?`, gold)
  }
}

/** Every project does it its own way. @param {Desk} desk @param {string} project */
function addPractices({ random, add, ask }, project) {
  for (const practice of practices) {
    const gold = add({ title: practice.title, text: `In ${project} ${random.pick(practice.ways)}` })
    if (random.below(2) === 0) ask('project', practice.question(project), gold)
  }
}

/** Decisions on one subject, told apart by when they were made. @param {Desk} desk @param {string} project */
function addDecisions({ random, add, ask }, project) {
  const subject = random.pick(decisions)
  const quarters = random.some([0, 90, 180, 270, 365, 455, 545, 635], 4)
  for (const [i, first] of quarters.entries()) {
    const day = first + random.below(60)
    const gold = add({ title: `${project}: decision on ${subject.name}`, text: random.pick(subject.outcomes), day })
    const date = dateOf(day)
    const when = `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
    if (i < 2) ask('time', `What did we decide about ${subject.name} for ${project} in ${when}?`, gold)
  }
}

/** @param {number} day */
function dateOf(day) {
  return new Date(Date.UTC(2023, 0, 1 + day, 9))
}
