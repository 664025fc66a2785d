// @ts-check
/**
 * Notes with one heading for each service, and questions about one of them. The lines below a heading do not repeat its name, and other
 * notes of the project have the same headings and the same lines, arranged otherwise. So only the heading above a line tells them apart.
 */
import { randomFrom } from './random-from.mjs'
import { projects, services } from './vocabulary.mjs'

const subjects = [
  ['backups', 'Backups are copied to the other site every night and kept for thirty days.'],
  ['certificate', 'The certificate is renewed by hand, two weeks before it expires.'],
  ['memory limit', 'The memory limit was raised twice; it is two gigabytes now.'],
  ['on-call rota', 'The on-call rota changes on Thursdays after lunch.'],
  ['rollback', 'For a rollback, the previous image is started and traffic is switched over.'],
  ['staging copy', 'The staging copy gets fresh rows on the first Monday of a month.'],
  ['alert threshold', 'The alert threshold is five failures within ten minutes.'],
  ['retention', 'Retention is ninety days; older rows are dropped by a job.'],
]
const servicesPerNote = 4
const subjectsPerService = 2
const notesPerProject = 6

/** @param {number} seed @returns {import('../recall.mjs').LabelledSet} */
export function headingsSet(seed) {
  const random = randomFrom(seed)
  /** @type {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote[]} */
  const corpus = []
  /** @type {Map<string, string[]>} */
  const holders = new Map()
  for (const project of projects)
    for (let i = 1; i <= notesPerProject; i++) {
      const id = `${project}-${i}`
      const blocks = random.some(services, servicesPerNote).map((service) => {
        const lines = random.some(subjects, subjectsPerService).map(([name, line]) => {
          const question = `What about the ${name} of ${service} at ${project}?`
          holders.set(question, [...(holders.get(question) ?? []), id])
          return `- ${line}`
        })
        return `## ${service}\n\n${lines.join('\n')}\n`
      })
      corpus.push({ id, title: `${project} handbook, part ${i}`, text: blocks.join('\n') })
    }
  const queries = [...holders].map(([text, gold], i) => ({ id: `q${i + 1}`, text, gold, kind: 'heading' }))
  return { name: `headings, seed ${seed}`, corpus, queries: random.some(queries, 200) }
}
