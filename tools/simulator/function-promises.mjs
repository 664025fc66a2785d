// @ts-check
/**
 * What is promised of a durable function, asked of the log once everything is over: of each run, of each thing it asked for, and of what
 * happened outside. Each promise is a sentence, so that a broken one reads as what went wrong.
 */
import { openHarness, replayAgainst } from '@agentm/harness'
import { isDeepStrictEqual } from 'node:util'
import { stepsOf } from './function-programs.mjs'
import { modelRun } from './function-model.mjs'

/**
 * @typedef {import('@agentm/nodes').Node} Node
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('./function-programs.mjs').Program} Program
 * @typedef {import('./function-model.mjs').Modelled} Modelled
 * @typedef {import('./function-model.mjs').Asked} Asked
 * @typedef {import('./function-model.mjs').Recorded} Recorded
 * @typedef {Recorded['entry']} Entry
 */

/**
 * @typedef {object} Started
 * @property {string} id
 * @property {Program} program
 * @property {import('@agentm/harness').DurableFunction<Program, readonly unknown[]>} durable
 */

/**
 * @typedef {object} Judged
 * @property {NodeStore} store
 * @property {string} owner
 * @property {import('./function-kinds.mjs').FunctionsSeen} seen
 * @property {ReadonlyMap<number, number>} written when each version was written
 * @property {readonly Started[]} runs
 * @property {number} calmAt when the last fault was over
 */

/**
 * @typedef {object} RunFacts one run, and all that is known of it
 * @property {string} id
 * @property {string} stepId
 * @property {Program} program
 * @property {string} status
 * @property {unknown} result
 * @property {string} why it ended so, if it says
 * @property {boolean} isSetAside it lost more workers in a row than it may
 * @property {number} endedAt
 * @property {number} stepEndedAt when the function itself had ended; its plan is settled after that
 * @property {string | undefined} parentStepId
 * @property {Readonly<Record<string, { readonly value: string, readonly at: number }>>} answers by question id
 * @property {readonly string[]} answeredTwice the questions that took a second answer
 * @property {readonly Node[]} messages
 * @property {ReadonlyMap<number, readonly Node[]>} versions of each entry, by position
 * @property {ReadonlyMap<number, Recorded>} entries by position
 * @property {Modelled} model
 * @property {readonly string[]} replayed what a replay of the history said
 */

/** A worker that stood still may be half a minute behind, and its answer five seconds late; more is no excuse. */
const slackMs = 40_000
/** How long a run that can go on may take to do so when nothing is wrong. */
const wakeMs = 60_000
/** A plan whose starter has ended is found by the next sweep of a worker, which is seldom here. */
const sweepMs = 25 * 60_000
const over = ['done', 'failed', 'cancelled']

/** @param {Judged} judged @returns {Promise<readonly string[]>} what did not hold */
export async function brokenFunctionPromises(judged) {
  const runs = await factsOf(judged)
  return [
    ...judged.seen.strange,
    ...runs.flatMap((run) => [
      ...badEnd(run, runs),
      ...badVersions(run),
      ...[...run.entries.values()].flatMap((recorded) => badEntry(recorded, run, { judged, runs })),
      ...badMessages(run),
      ...badQuestions(run),
      ...badSteps(run, judged),
      ...badChildren(run, runs, judged),
    ]),
  ]
}

/** @template K @param {readonly Node[]} nodes @param {(node: Node) => K} keyOf @returns {ReadonlyMap<K, readonly Node[]>} */
function grouped(nodes, keyOf) {
  /** @type {Map<K, Node[]>} */
  const groups = new Map()
  for (const node of nodes) groups.set(keyOf(node), [...(groups.get(keyOf(node)) ?? []), node])
  return groups
}

/** @param {Judged} judged @returns {Promise<readonly RunFacts[]>} */
async function factsOf({ store: { log }, store, owner, written, runs: [started] }) {
  const harness = openHarness({ store, owner, actor: 'judge' })
  /** @type {RunFacts[]} */
  const facts = []
  const { nodes: plans } = await log.scan({ owner, concepts: ['v1:harness:plan'], limit: 10_000 })
  for (const plan of plans) {
    const { nodes: steps } = await log.scan({ owner, concepts: ['v1:harness:step'], parent: plan.id })
    const step = steps[0]
    if (step === undefined || started === undefined) continue
    const handle = harness.run(plan.id)
    const history = await handle.history()
    const program = /** @type {Program} */ (/** @type {unknown} */ (history.input))
    const { nodes: versions } = await log.scan({
      owner,
      concepts: ['v1:harness:entry'],
      parent: step.id,
      versions: 'all',
      limit: 10_000,
    })
    const { nodes: messages } = await log.scan({
      owner,
      concepts: ['v1:harness:mailbox'],
      parent: step.id,
      versions: 'all',
      limit: 10_000,
    })
    const planVersions = await log.history(plan.id, { owner })
    const { answers, answeredTwice } = answersIn(versions)
    const end = planVersions.find(({ status }) => over.includes(status ?? ''))
    facts.push({
      id: plan.id,
      stepId: step.id,
      program,
      status: plan.status ?? '',
      result: /** @type {{ value?: unknown } | undefined} */ (step.payload['result'])?.value,
      stepEndedAt: timeOf(
        (await log.history(step.id, { owner })).find(({ payload }) =>
          isSettled(/** @type {Entry} */ (/** @type {unknown} */ (payload))),
        ),
        written,
      ),
      why: JSON.stringify(plan.payload['errorMessage'] ?? ''),
      isSetAside: step.payload['deadLetter'] === true,
      endedAt: timeOf(end, written),
      parentStepId: /** @type {string | undefined} */ (plan.payload['parentStepId']),
      answers,
      answeredTwice,
      messages: messages.toSorted((a, b) => a.seq - b.seq),
      versions: grouped(
        versions.toSorted((a, b) => a.seq - b.seq),
        ({ payload }) => Number(payload['position']),
      ),
      entries: new Map(history.entries.map((recorded) => [recorded.entry.position, recorded])),
      model: await modelRun(program, history),
      replayed: await replayOf(history, started.durable, { status: plan.status ?? '', step }),
    })
  }
  return facts
}

/** @param {readonly Node[]} versions of entries @returns {Pick<RunFacts, 'answers' | 'answeredTwice'>} */
function answersIn(versions) {
  const given = versions
    .filter(({ status }) => status === 'answered')
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ payload }) => /** @type {Entry} */ (/** @type {unknown} */ (payload)))
    .flatMap(({ question, answer }) => (question && answer ? [/** @type {const} */ ([question.id, answer])] : []))
  const ids = given.map(([id]) => id)
  return { answers: Object.fromEntries(given), answeredTwice: ids.filter((id, i) => ids.indexOf(id) < i) }
}

/** @param {Node | undefined} version @param {ReadonlyMap<number, number>} written */
function timeOf(version, written) {
  return version === undefined ? Infinity : (written.get(version.seq) ?? version.createdAt)
}

/** @param {Parameters<typeof replayAgainst>[0]} history @param {Started['durable']} durable @param {{ readonly status: string, readonly step: Node }} end */
async function replayOf(history, durable, { status, step }) {
  try {
    const { ended, value } = await replayAgainst(history, durable)
    const result = /** @type {{ value?: unknown } | undefined} */ (step.payload['result'])?.value
    if (status === 'done' && (ended !== 'done' || !isDeepStrictEqual(value, result)))
      return [`a replay of ${history.run} ends as ${ended}, with another result`]
    // A crash may have come after any write: what was in the log then leads to the same questions.
    for (const { seq } of history.entries)
      await replayAgainst({ ...history, entries: history.entries.filter((recorded) => recorded.seq <= seq) }, durable)
    return []
  } catch (error) {
    return [`a replay of ${history.run} throws ${String(error)}`]
  }
}

/** @param {RunFacts} run @param {readonly RunFacts[]} runs */
function badEnd({ id, status, result, model, replayed, parentStepId, endedAt, why, isSetAside }, runs) {
  const parent = runs.find(({ stepId }) => stepId === parentStepId)
  const wasLeft = status === 'cancelled' && parent !== undefined && parent.stepEndedAt <= endedAt
  return [
    ...replayed,
    ...model.broken.map((line) => `${id}: ${line}`),
    ...(over.includes(status) ? [] : [`${id} is ${status}`]),
    ...(over.includes(status) && model.ended !== status && !wasLeft && !isSetAside
      ? [`${id} ended as ${status}, and should have ended as ${model.ended}: ${why}`]
      : []),
    ...(status === 'done' && !isDeepStrictEqual(result, model.value)
      ? [`${id} gave ${JSON.stringify(result)}, and should have given ${JSON.stringify(model.value)}`]
      : []),
  ]
}

/** What a function was given once is final. @param {RunFacts} run */
function badVersions({ id, versions }) {
  return [...versions].flatMap(([position, entries]) => {
    const ends = entries.filter(({ payload }) => isSettled(/** @type {Entry} */ (/** @type {unknown} */ (payload))))
    return ends.length > 1 ? [`position ${position} of ${id} ended ${ends.length} times`] : []
  })
}

/** @param {Pick<Entry, 'status' | 'retryAt'>} entry */
function isSettled({ status, retryAt }) {
  return status === 'done' || (status === 'failed' && retryAt === undefined)
}

/** @param {Recorded} recorded @param {RunFacts} run @param {{ readonly judged: Judged, readonly runs: readonly RunFacts[] }} around @returns {readonly string[]} */
function badEntry(recorded, run, { judged, runs }) {
  const { entry, at } = recorded
  const asked = run.model.asked[entry.position]
  if (!isSettled(entry) || asked === undefined || run.model.ignored.has(entry.position)) return []
  const what = `${entry.op} "${entry.name}" at position ${entry.position} of ${run.id}`
  switch (entry.op) {
    case 'step':
      return badResult(entry, run).map((line) => `${what} ${line}`)
    case 'sleep':
      return badTime(asked, at, judged).map((line) => `${what} ${line}`)
    case 'signal':
      return badSignal(recorded, asked, run, judged).map((line) => `${what} ${line}`)
    case 'ask':
      return badAnswer(recorded, asked, run, judged).map((line) => `${what} ${line}`)
    case 'call':
      return badCall(recorded, asked, { run, runs, judged }).map((line) => `${what} ${line}`)
    default:
      return []
  }
}

/** @param {Entry} entry @param {RunFacts} run */
function badResult({ name, status, value, failure, failures = 0 }, { program }) {
  const op = stepsOf(program).get(name)
  if (op === undefined) return []
  const isUnknown = failure?.code === 'UNKNOWN_OUTCOME'
  const given = [...(op.nature === 'effectful' ? [undefined] : []), `${name} is done`]
  return [
    ...(status === 'done' && !given.some((each) => each === value) ? [`gave ${JSON.stringify(value)}`] : []),
    ...(status === 'done' && value !== undefined && failures !== op.fails
      ? [`failed ${failures} times before it was done, and fails ${op.fails} times`]
      : []),
    ...(status === 'failed' && !isUnknown && failures !== 3 ? [`has failed for good after ${failures} failures`] : []),
    ...(failures > op.fails ? [`failed ${failures} times, and fails ${op.fails} times`] : []),
    ...(isUnknown && op.nature !== 'effectful' ? ['is not effectful, and its outcome is said to be unknown'] : []),
  ]
}

/** It ended by itself: not before its time, and soon after. @param {Asked} asked @param {number} at @param {Judged} judged */
function badTime({ since, ms }, at, { calmAt }) {
  if (ms === undefined) return ['ended by itself, and waits for ever']
  const due = since + ms
  return [
    ...(at < due - slackMs ? [`ended ${due - at} ms too early`] : []),
    ...(at > Math.max(due, calmAt) + wakeMs ? [`ended ${at - due} ms too late`] : []),
  ]
}

/** @param {Recorded} recorded @param {Asked} asked @param {RunFacts} run @param {Judged} judged */
function badSignal({ entry: { name, value, message }, at }, asked, { messages }, judged) {
  if (message === undefined) return badTime(asked, at, judged)
  const sent = messages.find(({ version }) => version === message)
  if (sent === undefined || sent.payload['name'] !== name || sent.payload['value'] !== value)
    return [`took ${JSON.stringify(value)}, and message ${message} says ${JSON.stringify(sent?.payload['value'])}`]
  return badWake(asked, at, { because: sent.createdAt, judged })
}

/** @param {Recorded} recorded @param {Asked} asked @param {RunFacts} run @param {Judged} judged */
function badAnswer({ entry: { position, value }, at }, asked, { answers }, judged) {
  const answer = answers[`ask-${position}`]
  if (value === undefined && answer !== undefined) return ['was answered, and ended as if nobody had']
  if (value === undefined) return badTime(asked, at, judged)
  if (answer?.value !== value)
    return [`was given ${JSON.stringify(value)}, and the answer was ${JSON.stringify(answer?.value)}`]
  return badWake(asked, at, { because: answer.at, judged })
}

/** @param {Recorded} recorded @param {Asked} asked @param {{ readonly run: RunFacts, readonly runs: readonly RunFacts[], readonly judged: Judged }} around */
function badCall({ entry: { status, value, failure }, at }, asked, { run, runs, judged }) {
  const child = runs.find(({ parentStepId, program }) => parentStepId === run.stepId && program.name === asked.child)
  if (child === undefined) return [`ended, and ${asked.child} never began`]
  const told = status === 'failed' && failure?.code === 'FUNCTION_CANCELLED' ? 'cancelled' : status
  if (child.status !== told) return [`was told that ${asked.child} is ${told}, and it is ${child.status}`]
  if (status === 'done' && !isDeepStrictEqual(child.result, value))
    return [`was given another result than that of ${asked.child}`]
  return badWake(asked, at, { because: child.endedAt, judged })
}

/** A run that can go on does so soon. @param {Asked} asked @param {number} at @param {{ readonly because: number, readonly judged: Judged }} why */
function badWake({ since }, at, { because, judged: { calmAt } }) {
  const late = at - Math.max(because, since, calmAt)
  return late > wakeMs ? [`was given to the function ${Math.round(late)} ms after it could have been`] : []
}

/** Each message is taken once, in the order of sending. @param {RunFacts} run */
function badMessages({ id, entries, model }) {
  const taken = [...entries.values()]
    .filter(({ entry }) => entry.op === 'signal' && entry.message !== undefined && !model.ignored.has(entry.position))
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ entry: { name, message = 0 } }) => ({ name, message }))
  const before = taken.filter(({ name, message }, i) =>
    taken.slice(0, i).some((other) => other.name === name && other.message >= message),
  )
  return before.map(
    ({ name, message }) => `message ${message} of ${id} was taken twice, or after a later one, by signal "${name}"`,
  )
}

/** One answer counts, and nobody is asked what the function no longer waits for. @param {RunFacts} run */
function badQuestions({ id, status, answeredTwice, entries, model }) {
  const shown = model.asked.filter(
    ({ op, lostAt, position }) =>
      op === 'ask' && lostAt !== undefined && entries.get(position)?.entry.status === 'asking',
  )
  return [
    ...answeredTwice.map((question) => `question ${question} of ${id} took a second answer`),
    ...(status === 'done' ? shown : []).map(
      ({ name }) => `question "${name}" of ${id} lost a race, and is still shown`,
    ),
  ]
}

/** What happened outside. @param {RunFacts} run @param {Judged} judged */
function badSteps(run, { seen: { began, effects } }) {
  const { id, program, model, endedAt, versions } = run
  const names = new Set(model.asked.map(({ name }) => name))
  const mine = began.filter((each) => each.run === id)
  const retries = grouped([...versions.values()].flat(), ({ payload }) => String(payload['name']))
  return [
    ...mine.flatMap(({ name, at }) => [
      ...(names.has(name) ? [] : [`step "${name}" of ${id} was run, and the function does not ask for it`]),
      ...(at > endedAt + slackMs ? [`step "${name}" began after ${id} had ended`] : []),
    ]),
    ...mine.flatMap(({ name, at, attempt }) => {
      const known = (retries.get(name) ?? []).findLast(({ createdAt }) => createdAt <= at)
      const { status, retryAt, failures = 0 } = /** @type {Partial<Entry>} */ (known?.payload ?? {})
      // A worker that stood still does not know of the failure, and its fence refuses what it writes.
      const isKnown = attempt >= failures
      return status === 'failed' && retryAt !== undefined && isKnown && at < retryAt - slackMs
        ? [`step "${name}" of ${id} was tried again ${retryAt - at} ms too early`]
        : []
    }),
    ...[...stepsOf(program)].flatMap(([name, op]) => {
      const times = effects.get(`${id} ${name}`) ?? 0
      const position = model.asked.find((asked) => asked.name === name)?.position
      const entry = [...run.entries.values()].find((recorded) => recorded.entry.name === name)?.entry
      const said = Object.entries(run.answers).filter(
        ([key, { value }]) => key.startsWith(`outcome-${position}-`) && value === 'retry',
      )
      const most = op.nature === 'effectful' && op.onUnknown !== 'retry' ? 1 + said.length : Infinity
      return [
        ...(times > most
          ? [`effectful step "${name}" of ${id} happened ${times} times, and may happen ${most} times`]
          : []),
        ...(entry?.status === 'done' && entry.value !== undefined && times === 0
          ? [`step "${name}" of ${id} is done, and never happened`]
          : []),
      ]
    }),
    ...model.undone
      .filter((name) => isDone(run, `undo ${name}`) && !effects.has(`${id} undo ${name}`))
      .map((name) => `step "${name}" of ${id} was not taken back`),
  ]
}

/** @param {RunFacts} run @param {string} name */
function isDone({ entries }, name) {
  return [...entries.values()].some(({ entry }) => entry.name === name && entry.status === 'done')
}

/** What a function called ends with it, and soon after it lost a race. @param {RunFacts} run @param {readonly RunFacts[]} runs @param {Judged} judged */
function badChildren({ stepId, endedAt, model }, runs, { calmAt }) {
  const children = runs.filter(({ parentStepId }) => parentStepId === stepId)
  return [
    ...children
      .filter((child) => child.endedAt > Math.max(endedAt, calmAt) + sweepMs)
      .map(({ id }) => `${id} went on after the function that called it had ended`),
    ...model.asked.flatMap(({ child, lostAt }) => {
      const lost = lostAt === undefined ? undefined : children.find(({ program }) => program.name === child)
      if (lost === undefined || lostAt === undefined) return []
      const cancelledAt = lost.messages.find(({ payload }) => payload['say'] === 'cancel')?.createdAt ?? Infinity
      const late = Math.min(lost.endedAt, endedAt, cancelledAt) - Math.max(lostAt, calmAt)
      return late > wakeMs ? [`${lost.id} lost a race, and was not cancelled`] : []
    }),
  ]
}
