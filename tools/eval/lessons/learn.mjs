// @ts-check
/** Learns from the labelled sessions as agentm does: captures one session after another in a log, learns from each, and reads the shelf. */
import { createInMemoryStore } from '../../../packages/conformance/dist/logs/index.js'
import { sessionConcepts } from '../../../packages/learning/dist/concepts.js'
import { consolidationCursor } from '../../../packages/learning/dist/index.js'
import { learnedShelf, learnFromSessions } from '../../../packages/learning/dist/lessons.js'
import { captureSession } from '../../../packages/learning/dist/sessions.js'
import { semanticMemory } from '../../../packages/memory/dist/index.js'

/** @typedef {import('./read-sessions.mjs').Project} Project */
/** @typedef {import('./read-sessions.mjs').Session} Session */

const concepts = [semanticMemory, consolidationCursor, ...sessionConcepts]
const owner = 'ada'

/**
 * @param {readonly Project[]} projects
 * @param {{ readonly model?: (project: Project, session: string) => readonly unknown[] }} [options] what the model answers about a session
 */
export async function learnAll(projects, { model } = {}) {
  /** @type {import('./judge.mjs').Learned[]} */
  const learned = []
  for (const project of projects) learned.push(...(await learnProject(project, model)))
  return learned
}

/** @param {Project} project @param {((project: Project, session: string) => readonly unknown[]) | undefined} model */
async function learnProject(project, model) {
  let now = 0
  const runtime = { now: () => now, random: () => 0.5 }
  const store = createInMemoryStore({ concepts, runtime })
  const placeOf = async () => ({ partition: project.name, isPrivate: false })
  for (const session of project.sessions) {
    now = session.startedAt
    await captureSession({ log: store.log, owner, placeOf }, fileOf(session))
    now += 7_200_000
    await learnFromSessions(
      {
        store,
        runtime,
        ...(model !== undefined && { ask: scripted(model(project, session.id)), tokensPerDay: 10_000_000 }),
      },
      { owner },
    )
  }
  const lessons = await learnedShelf({ log: store.log, owner }).list()
  return lessons.map(({ kind, statement, evidence }) => ({
    project: project.name,
    kind,
    statement,
    turns: evidence.map(({ seen }) => `${seen?.session} ${seen?.number}`),
  }))
}

/** A file that holds all of a session at once. @param {Session} session @returns {import('../../../packages/learning/dist/sessions.js').SessionFile} */
function fileOf({ id, host, events }) {
  async function* read() {
    yield { events, cursor: {} }
  }
  return { host, source: id, isOver: true, read }
}

/** @param {readonly unknown[]} lessons @returns {NonNullable<Parameters<typeof learnFromSessions>[0]['ask']>} */
function scripted(lessons) {
  return async ({ schema, onUsage }) => {
    onUsage({ inputTokens: 1000, outputTokens: 200 })
    return { ok: true, value: schema.parse({ lessons }) }
  }
}

/**
 * A model that finds all that is worth learning, in the words of the labels.
 * @param {Project} project @param {string} session
 */
export function carefulModel({ worth }, session) {
  const here = worth.filter((each) => each.session === session)
  return here.map(({ kind, text, turn }) => ({ kind, statement: text, turns: [turn] }))
}

/**
 * One that is taken in by every second tempting thing, too.
 * @param {Project} project @param {string} session
 */
export function gullibleModel(project, session) {
  const tempting = project.tempting.filter((each, i) => each.session === session && i % 2 === 0)
  const taken = tempting.map(({ quote, turn }) => {
    return { kind: 'correction', statement: `The person wants this here: ${quote}.`, turns: [turn] }
  })
  return [...carefulModel(project, session), ...taken]
}
