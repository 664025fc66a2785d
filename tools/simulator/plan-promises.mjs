// @ts-check
/**
 * What the harness promises of a plan, asked of the log alone once everything is over: nothing here calls what decided it. Each
 * promise is a sentence, so that a broken one reads as what went wrong.
 */

import { openHarness } from '@agentm/harness'
import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {import('@agentm/nodes').Node} Node
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('@agentm/harness').Step} Step
 * @typedef {import('@agentm/harness').Plan} Plan
 * @typedef {Node & { readonly payload: Step }} StepVersion
 * @typedef {Node & { readonly payload: Plan }} PlanVersion
 * @typedef {{ readonly versions: readonly PlanVersion[], readonly steps: readonly (readonly StepVersion[])[] }} PlanHistory
 * @typedef {import('./plan-kinds.mjs').Seen} Seen
 */

const over = ['done', 'failed', 'cancelled']
/** A worker that stood still may be half a minute behind, and its answer five seconds late; more is no excuse. */
const slackMs = 40_000

/**
 * @typedef {object} Judged
 * @property {NodeStore} store
 * @property {string} owner
 * @property {Seen} seen
 * @property {boolean} fairClocks no clock was set while it ran, so what comes too early is a fault
 * @property {number} slots of one worker
 * @property {number} perPartition
 */

/** @param {Judged} judged @returns {Promise<readonly string[]>} what did not hold */
export async function brokenPromises(judged) {
  const plans = await historiesOf(judged)
  const byId = new Map(plans.map((plan) => [lastOf(plan.versions).id, plan]))
  return [
    ...plans.flatMap((plan) => [
      ...badEnd(plan, byId),
      ...badStarts(plan, plans, judged),
      ...outlived(plan, byId, judged),
      ...outOfTime(plan, judged),
    ]),
    ...startedTwice(plans),
    ...unheeding(plans, judged),
    ...plans.flatMap((plan) => startedBelowPause(plan, byId, judged)),
    ...(await miscounted(plans, judged)),
    ...plans.flatMap((plan) => plan.steps.flatMap((step) => badStep(step, { plan, byId, judged }))),
    ...crowded(plans, judged),
  ]
}

/** @param {Judged} judged @returns {Promise<readonly PlanHistory[]>} */
async function historiesOf({ store: { log }, owner }) {
  /** @param {string} concept */
  const all = async (concept) => {
    const { nodes } = await log.scan({ owner, concepts: [concept], versions: 'all', limit: 100_000 })
    /** @type {Map<string, Node[]>} */
    const byId = new Map()
    for (const node of nodes.toSorted((a, b) => a.seq - b.seq)) byId.set(node.id, [...(byId.get(node.id) ?? []), node])
    return [...byId.values()]
  }
  const steps = /** @type {StepVersion[][]} */ (await all('v1:harness:step'))
  return /** @type {PlanVersion[][]} */ (await all('v1:harness:plan')).map((versions) => ({
    versions,
    steps: steps.filter(([first]) => first?.payload.planId === versions[0]?.id),
  }))
}

/** @param {PlanHistory} plan @param {ReadonlyMap<string, PlanHistory>} byId */
function badEnd({ versions, steps }, byId) {
  const { id, payload } = lastOf(versions)
  const end = versions.find(({ payload: { status } }) => over.includes(status))
  if (end === undefined) return [`${id} is ${payload.status}`]
  const ends = versions.filter(({ seq }) => seq > end.seq)
  const atEnd = steps.map((step) => lastOf(step.filter(({ seq }) => seq < end.seq || step.length === 1)))
  const halted = (payload.errorMessage ?? '').startsWith('stopped at ')
  const allDone = atEnd.every((step) => step.payload.status === 'done')
  return [
    ...(ends.some(({ payload: { status } }) => status !== end.payload.status) ? [`${id} ended twice`] : []),
    ...(end.payload.status === 'done' && !isDeepStrictEqual(end.payload.result, { steps: { done: steps.length } })
      ? [`${id} is done, and says ${JSON.stringify(end.payload.result)} of ${steps.length} steps`]
      : []),
    ...(payload.status === 'done' && !allDone ? [`${id} is done, and not all of its steps are`] : []),
    ...(payload.status === 'failed' && allDone ? [`${id} is failed, and all of its steps are done`] : []),
    ...(payload.status === 'failed' && !halted && !allDone && canEndWell(atEnd) ? [`${id} failed too early`] : []),
    ...(payload.status === 'cancelled' && !mayBeCancelled(end, byId) ? [`${id} was cancelled by nobody`] : []),
    ...(halted && payload.budget === undefined ? [`${id} was stopped by a budget it does not have`] : []),
    ...badParent(end, byId),
  ]
}

/** Some step that is not done could still have been. @param {readonly StepVersion[]} steps */
function canEndWell(steps) {
  const hopeful = new Set(steps.filter((step) => mayGoOn(step.payload)).map(({ id }) => id))
  for (let grew = true; grew;) {
    grew = false
    for (const { id, payload } of steps) {
      const waits = payload.status === 'pending' || (payload.status === 'blocked' && payload.waitsFor === undefined)
      if (hopeful.has(id) || !waits || !payload.dependsOn.every((target) => hopeful.has(target))) continue
      hopeful.add(id)
      grew = true
    }
  }
  return steps.some(({ id, payload }) => payload.status !== 'done' && hopeful.has(id))
}

/** @param {Step} step */
function mayGoOn({ status, waitsFor, retryAt }) {
  if (status === 'failed') return retryAt !== undefined
  return status === 'blocked' ? waitsFor !== undefined : status !== 'pending'
}

/** By a person, or because the step that started it was over. @param {PlanVersion} end @param {ReadonlyMap<string, PlanHistory>} byId */
function mayBeCancelled({ createdBy, payload: { parentPlanId } }, byId) {
  return createdBy === 'person' || (parentPlanId !== undefined && byId.has(parentPlanId))
}

/** What a step started ends with it. @param {PlanVersion} end @param {ReadonlyMap<string, PlanHistory>} byId */
function badParent({ id, payload: { parentPlanId, parentStepId } }, byId) {
  const parent = byId.get(parentPlanId ?? '')
  if (parent === undefined) return []
  const step = parent.steps.find(([first]) => first?.id === parentStepId)
  const result = step && lastOf(step).payload.result
  const told = result?.['child']
  const child = byId.get(id)
  const status = child && lastOf(child.versions).payload.status
  return told !== undefined && told !== status
    ? [`${id} is ${status}, and its step was told that it is ${JSON.stringify(told)}`]
    : []
}

/** A minute is more than it takes to be told. @param {PlanHistory} plan @param {ReadonlyMap<string, PlanHistory>} byId @param {Judged} judged */
function outlived({ versions, steps }, byId, { seen: { written } }) {
  const { parentPlanId, parentStepId } = lastOf(versions).payload
  const step = byId.get(parentPlanId ?? '')?.steps.find(([first]) => first?.id === parentStepId)
  if (step === undefined) return []
  const { seq, payload } = lastOf(step)
  const at = (/** @type {number} */ of) => written.get(of) ?? 0
  const isOver = payload.status === 'done' || (payload.status === 'failed' && payload.retryAt === undefined)
  const late = steps.flatMap(startsIn).filter((start) => isOver && at(start.seq) > at(seq) + 60_000)
  return late.map(({ id }) => `${id} was started a minute after the step it was planned for was over`)
}

/** What the budget counts is what happened; plans that start others count those too. @param {readonly PlanHistory[]} plans @param {Judged} judged */
async function miscounted(plans, { store, owner }) {
  const harness = openHarness({ store, owner, actor: 'judge' })
  const broken = []
  for (const plan of plans) {
    const { id } = lastOf(plan.versions)
    const steps = familyOf(plan, plans).flatMap((each) => each.steps)
    const counted = (await harness.usage(id)).steps
    const began = steps.flatMap(startsIn).length - steps.flat().filter(isRateLimited).length
    if (counted !== began) broken.push(`of ${id} ${counted} starts were counted, and there were ${began}`)
  }
  return broken
}

/** A plan, and those that its steps started, and so on. @param {PlanHistory} plan @param {readonly PlanHistory[]} plans @returns {readonly PlanHistory[]} */
function familyOf(plan, plans) {
  const { id } = lastOf(plan.versions)
  const children = plans.filter(({ versions }) => lastOf(versions).payload.parentPlanId === id)
  return [plan, ...children.flatMap((child) => familyOf(child, plans))]
}

/** Nothing begins while its plan is paused, about to stop, or over. @param {PlanHistory} plan @param {readonly PlanHistory[]} plans @param {Judged} judged */
function badStarts(plan, plans, { seen }) {
  const { versions, steps } = plan
  const { id, payload } = lastOf(versions)
  const broken = steps.flatMap((step) =>
    startsIn(step).flatMap((start) => {
      const then = versions.findLast(({ seq }) => seq < start.seq)?.payload
      const why = then?.paused === true ? 'paused' : then?.halting !== undefined ? 'about to stop' : undefined
      const state = over.includes(then?.status ?? '') ? 'over' : why
      return state === undefined ? [] : [`${start.id} was started while its plan was ${state}`]
    }),
  )
  const most = payload.budget?.maxSteps ?? Infinity
  const all = familyOf(plan, plans).flatMap((each) => each.steps)
  const limited = all.flat().filter(isRateLimited).length
  const runs = all.reduce((sum, step) => sum + (seen.runs.get(step[0]?.id ?? '') ?? 0), 0)
  return runs - limited > most ? [...broken, `${id} ran ${runs} times and may ${most} times`] : broken
}

/** A pause holds for the plans that steps started, too. @param {PlanHistory} plan @param {ReadonlyMap<string, PlanHistory>} byId @param {Judged} judged */
function startedBelowPause({ versions, steps }, byId, { seen: { written } }) {
  const parent = byId.get(lastOf(versions).payload.parentPlanId ?? '')
  const at = (/** @type {Node} */ { seq }) => written.get(seq) ?? Infinity
  return steps.flatMap(startsIn).flatMap((start) => {
    const then = parent?.versions.findLast((version) => at(version) < at(start))
    const isPaused = then?.payload.paused === true && !over.includes(then.payload.status)
    return isPaused && at(then) < at(start) - slackMs ? [`${start.id} was started while a plan above was paused`] : []
  })
}

/** A limit of time stops a plan then, not much later and no sooner. @param {PlanHistory} plan @param {Judged} judged */
function outOfTime({ versions }, { fairClocks }) {
  const end = versions.find(({ payload: { status } }) => over.includes(status))
  if (end === undefined || !fairClocks) return []
  const { startedAt, budget, errorMessage = '' } = end.payload
  if (startedAt === undefined) return []
  const took = end.createdAt - Date.parse(startedAt)
  const most = budget?.maxWallClockMs ?? Infinity
  return [
    ...(took > most + 1.5 * slackMs ? [`${end.id} took ${took} ms and may take ${most}`] : []),
    ...(errorMessage.startsWith('stopped at max_wall_clock') && took < most - slackMs
      ? [`${end.id} was stopped after ${took} ms and may take ${most}`]
      : []),
  ]
}

/** A step that is run again goes on with the plan it started. @param {readonly PlanHistory[]} plans */
function startedTwice(plans) {
  const parents = plans.flatMap(({ versions }) => lastOf(versions).payload.parentStepId ?? [])
  return parents.filter((id, i) => parents.indexOf(id) !== i).map((id) => `${id} started the same plan twice`)
}

/** A run that asks is told soon that its plan is paused, or that the step is no longer its own. @param {readonly PlanHistory[]} plans @param {Judged} judged */
function unheeding(plans, { seen: { signs, written } }) {
  const broken = new Set()
  for (const { stepId, planId, at } of signs) {
    const { versions = [], steps = [] } = plans.find((plan) => plan.versions[0]?.id === planId) ?? {}
    const step = steps.find(([first]) => first?.id === stepId) ?? []
    const known = (/** @type {Node} */ { seq }) => (written.get(seq) ?? Infinity) < at
    const old = (/** @type {Node} */ { seq }) => (written.get(seq) ?? Infinity) < at - slackMs
    const plan = versions.findLast(known)
    if (plan?.payload.paused === true && old(plan)) broken.add(`${stepId} went on while its plan was paused`)
    const state = step.findLast(known)
    if (state !== undefined && state.payload.status !== 'running' && old(state))
      broken.add(`${stepId} went on when it was ${state.payload.status}`)
  }
  return [...broken]
}

/** @param {StepVersion} version */
function isRateLimited({ provenanceMutation, payload }) {
  return provenanceMutation === 'blockHarnessStep' && payload.waitsFor?.for === 'rate-limit'
}

/** @param {readonly StepVersion[]} step */
function startsIn(step) {
  return step.filter(({ provenanceMutation }) => provenanceMutation === 'startHarnessStep')
}

/**
 * @typedef {{ readonly plan: PlanHistory, readonly byId: ReadonlyMap<string, PlanHistory>, readonly judged: Judged }} Around
 * @typedef {{ readonly before: StepVersion, readonly version: StepVersion, readonly step: readonly StepVersion[] } & Around} Change
 */

/** @param {readonly StepVersion[]} step @param {Around} around */
function badStep(step, around) {
  const last = lastOf(step)
  const ends = around.plan.versions.find(({ payload }) => over.includes(payload.status))?.seq ?? Infinity
  const changes = step.slice(1).map((version, i) => ({
    ...around,
    step,
    version,
    before: /** @type {StepVersion} */ (step[i]),
  }))
  return [
    ...(last.payload.status === 'running' ? [`${last.id} is left running`] : []),
    ...step.flatMap(({ version }, i) =>
      version === i + 1 ? [] : [`${last.id} has version ${version} at place ${i + 1}`],
    ),
    ...(startsIn(step).some(({ seq }) => seq > ends) ? [`${last.id} was started after its plan had ended`] : []),
    ...badResults(step),
    ...tooEarlyByDependency(step, around),
    ...changes.flatMap((change) => [
      ...badCounters(change),
      ...badLoss(change),
      ...badFailure(change),
      ...badAnswer(change),
      ...badWait(change),
    ]),
    ...badEffects(step, around.judged.seen),
    ...misinformed(step, around),
    ...(last.payload.kind === 'late' && last.payload.status === 'done' && !isSkipped(last)
      ? [`${last.id} took longer than it may, and is done`]
      : []),
  ]
}

/** @param {StepVersion} version */
function isSkipped({ payload: { result } }) {
  return result?.['skipped'] === true
}

/** @param {readonly StepVersion[]} step */
function badResults(step) {
  const { id } = lastOf(step)
  const results = step.filter(({ provenanceMutation }) => provenanceMutation === 'completeHarnessStep')
  const done = step.findIndex(({ payload }) => payload.status === 'done')
  return [
    ...(results.length > 1 ? [`${id} has ${results.length} accepted results`] : []),
    ...(done >= 0 && step.slice(done).some(({ payload }) => payload.status !== 'done')
      ? [`${id} was done and went on`]
      : []),
  ]
}

/** @param {readonly StepVersion[]} step @param {Around} around */
function tooEarlyByDependency(step, { plan }) {
  const started = startsIn(step)[0]?.seq ?? Infinity
  return lastOf(step).payload.dependsOn.flatMap((target) => {
    const dependency = plan.steps.find(([first]) => first?.id === target)
    const done = dependency?.find(({ payload }) => payload.status === 'done')?.seq ?? Infinity
    return started < Infinity && done > started ? [`${lastOf(step).id} ran before ${target} was done`] : []
  })
}

/** A run is given what the steps before it answered. @param {readonly StepVersion[]} step @param {Around} around */
function misinformed(step, { plan, judged }) {
  const { id, payload } = lastOf(step)
  const given = judged.seen.given.get(id)
  if (given === undefined) return []
  const expected = payload.dependsOn.map((target) => {
    const dependency = plan.steps.find(([first]) => first?.id === target)
    return { id: target, result: dependency && lastOf(dependency).payload.result }
  })
  const told = given.map((each) => ({ id: each.id, result: each.result }))
  return isDeepStrictEqual(told, expected) ? [] : [`${id} was not told what the steps before it answered`]
}

/** `attempt` counts retries; `crashes` lost workers; `failures` what was its own doing. @param {Change} change */
function badCounters({ before, version: { id, provenanceMutation, payload } }) {
  const retried =
    provenanceMutation === 'retryHarnessStep' ||
    (provenanceMutation === 'skipHarnessStep' && before.payload.status === 'failed')
  const attempts = payload.attempt - before.payload.attempt
  const failed = payload.status === 'failed' && before.payload.status !== 'failed'
  const cause = failed ? payload.failure?.cause : undefined
  const failures = (payload.failures ?? 0) - (before.payload.failures ?? 0)
  const crashes = (payload.crashes ?? 0) - (before.payload.crashes ?? 0)
  return [
    ...(attempts !== (retried ? 1 : 0) ? [`${id} counted ${attempts} attempts for ${provenanceMutation}`] : []),
    ...(failures !== (cause === 'step' ? 1 : 0)
      ? [`${id} counted ${failures} failures for ${cause ?? provenanceMutation}`]
      : []),
    ...(crashes !== (isLost(cause) || isLostForGood(before, payload) ? 1 : 0)
      ? [`${id} counted ${crashes} lost workers for ${cause ?? provenanceMutation}`]
      : []),
  ]
}

/** @param {string | undefined} cause */
function isLost(cause) {
  return cause === 'lease' || cause === 'vanished'
}

/** Nobody is asked, and it is not run again. @param {StepVersion} before @param {Step} payload */
function isLostForGood({ payload: { status, intentAt, onUnknown } }, { failure, status: now }) {
  return (
    now === 'failed' &&
    status === 'running' &&
    failure?.cause === 'unknown' &&
    intentAt !== undefined &&
    onUnknown === 'fail'
  )
}

/** What becomes of a step whose worker is gone. @param {Change} change */
function badLoss({ before, version: { id, payload, provenanceMutation } }) {
  if (before.payload.status !== 'running') return []
  const { intentAt, onUnknown = 'ask', retry } = before.payload
  const isAsked = payload.waitsFor?.for === 'answer' && payload.waitsFor.question.id.startsWith('unknown-')
  if (provenanceMutation === 'askHarnessStep' && isAsked)
    return intentAt === undefined || onUnknown !== 'ask' ? [`${id} asks about what cannot have happened`] : []
  if (payload.status !== 'failed' || !isLost(payload.failure?.cause)) return []
  if (intentAt !== undefined && onUnknown !== 'retry')
    return [`${id} may have happened, its worker was lost, and it is to "${onUnknown}": it was taken for not done`]
  const crashes = payload.crashes ?? 0
  const most = retry?.maxCrashes ?? 5
  if (payload.deadLetter === true)
    return crashes === most ? [] : [`${id} was set aside after ${crashes} lost workers of ${most}`]
  return crashes >= most ? [`${id} lost ${crashes} workers of ${most} and was not set aside`] : []
}

/** A failure of its own is tried again as often as the step says. @param {Change} change */
function badFailure({ before, version, judged }) {
  const { id, payload, provenanceMutation } = version
  if (before.payload.status !== 'running' || provenanceMutation !== 'failHarnessStep') return []
  const { failure, failures = 0, retry, retryAt } = payload
  if (failure?.cause === 'timeout' && retryAt !== undefined) return [`${id} ran out of time and is tried again`]
  if (failure?.cause !== 'step' || failure.retryable === false) return []
  const isTriedAgain = retryAt !== undefined
  // A step that says nothing of retries is tried again only after a failure that says it may be.
  const may = (failure.retryable ?? retry !== undefined) && failures < (retry?.maxFailures ?? 3)
  const delay = (retryAt ?? 0) - version.createdAt
  if (judged.fairClocks && delay > (retry?.capMs ?? 60_000) + slackMs)
    return [`${id} waits ${delay} ms for its next try and may wait ${retry?.capMs}`]
  if (isTriedAgain === may) return []
  return [
    `${id} failed ${failures} times of ${retry?.maxFailures ?? 3} and ${isTriedAgain ? 'is tried again' : 'was given up'}`,
  ]
}

/** The first answer counts, and leads where it says. @param {Change} change */
function badAnswer({ before, version, step, judged }) {
  const { id, payload } = version
  const [known, now] = [before.payload.answers ?? {}, payload.answers ?? {}]
  const changed = Object.keys(known).filter((question) => known[question]?.value !== now[question]?.value)
  const fresh = Object.keys(now).filter((question) => known[question] === undefined)
  const { waitsFor } = before.payload
  return [
    ...changed.map((question) => `${id} was answered ${question} twice`),
    ...fresh.flatMap((name) => {
      const { value, actor, at } = now[name] ?? { value: '', actor: '', at: 0 }
      if (waitsFor?.for !== 'answer' || waitsFor.question.id !== name)
        return [`${id} was answered ${name} and did not ask it`]
      const { deadline = Infinity, default: otherwise } = waitsFor.question
      const isEarly = judged.fairClocks && actor === 'deadline' && version.createdAt < deadline - slackMs
      return [
        ...(actor === 'deadline' && value !== otherwise ? [`${id} was answered ${value} by its deadline`] : []),
        ...(isEarly ? [`the deadline of ${id} came too early`] : []),
        ...(actor !== 'deadline' && at >= deadline ? [`${id} was answered after its deadline`] : []),
        ...(name.startsWith('unknown-') ? badUnknown(value, { version, step }) : []),
      ]
    }),
  ]
}

/** @param {string} value @param {Pick<Change, 'version' | 'step'>} change */
function badUnknown(value, { version: { id, seq, payload }, step }) {
  const later = step.filter((each) => each.seq > seq)
  const runs = startsIn(later)
  const wasDone = later.some((each) => each.payload.status === 'done' && each.payload.result?.['unknown'] === true)
  const wasRetried = later.some((each) => each.payload.attempt > payload.attempt)
  switch (value) {
    case 'done':
      return wasDone && runs.length === 0 ? [] : [`${id} was said to have happened, and is not done`]
    case 'retry':
      return wasRetried ? [] : [`${id} was to be run again, and is not`]
    default:
      return runs.length > 0 ? [`${id} was given up, and ran again`] : []
  }
}

/** What waits goes on when what it waits for has come, and no sooner. @param {Change} change */
function badWait({ before, version, byId, judged }) {
  const { id, payload, createdAt, seq, createdBy } = version
  // What somebody does by hand waits for nothing.
  if (payload.status !== 'ready' || createdBy === 'person') return []
  const { status, waitsFor, retryAt } = before.payload
  const due = retryAt ?? (waitsFor !== undefined && 'until' in waitsFor ? (waitsFor.until ?? Infinity) : Infinity)
  if (judged.fairClocks && createdAt > due + 2 * slackMs) return [`${id} went on ${createdAt - due} ms too late`]
  if (status === 'failed')
    return judged.fairClocks && retryAt !== undefined && createdAt < retryAt - slackMs
      ? [`${id} was tried again too early`]
      : []
  if (waitsFor?.for === 'time' || waitsFor?.for === 'rate-limit')
    return judged.fairClocks && createdAt < waitsFor.until - slackMs ? [`${id} waited too short`] : []
  if (waitsFor?.for !== 'plan') return []
  const child = byId.get(waitsFor.planId)?.versions.findLast((each) => each.seq < seq)
  return over.includes(child?.payload.status ?? '') ? [] : [`${id} went on before the plan it waits for had ended`]
}

/** @param {readonly StepVersion[]} step @param {Seen} seen */
function badEffects(step, { calls }) {
  const { id, payload } = lastOf(step)
  const { idempotencyKey, kind, onUnknown = 'ask', result, status, failure } = payload
  const times = calls.get(idempotencyKey) ?? 0
  if (result?.['by'] !== undefined && times === 0) return [`${id} has a result and never ran`]
  if (kind !== 'effect') return []
  const answers = Object.values(payload.answers ?? {}).filter(({ value }) => value === 'retry').length
  if (onUnknown !== 'retry' && times > 1 + answers) return [`${id} is effectful and ran ${times} times`]
  // Whoever cancels while it runs is told that it was cancelled; the intent in the log says that it may have happened. So it
  // does where a budget ends the plan. Who said that it did not happen answers for that.
  const known = ['unknown', 'cancelled', 'halted', ...(onUnknown === 'retry' ? ['lease', 'vanished'] : [])]
  return status === 'failed' && times === 1 && answers === 0 && !known.includes(failure?.cause ?? '')
    ? [`${id} happened and is failed for ${failure?.cause}`]
    : []
}

/** As many at once as may. @param {readonly PlanHistory[]} plans @param {Judged} judged */
function crowded(plans, { slots, perPartition, seen: { together } }) {
  /** @type {Map<string, StepVersion>} */
  const running = new Map()
  const broken = new Set()
  for (const version of plans.flatMap(({ steps }) => steps.flat()).toSorted((a, b) => a.seq - b.seq)) {
    if (version.payload.status !== 'running') running.delete(version.id)
    // A skip goes along the legal edges, through `running`, without running anything.
    else if (version.payload.session !== undefined) running.set(version.id, version)
    if (version.provenanceMutation !== 'startHarnessStep') continue
    const all = [...running.values()]
    const beside = all.filter(({ partition }) => partition === version.partition).length
    if (beside > perPartition)
      broken.add(`${beside} steps of ${version.partition} ran at once, and ${perPartition} may`)
  }
  if (together > slots) broken.add(`a worker with ${slots} slots ran ${together} steps at once`)
  return [...broken]
}

/** @template T @param {readonly T[]} all @returns {T} */
function lastOf(all) {
  const last = all.at(-1)
  if (last === undefined) throw new TypeError('nothing has no last')
  return last
}
