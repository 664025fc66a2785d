// @ts-check
/** The kinds of steps a simulated plan is made of, and plans drawn at random. Each kind tries one promise of the harness. */
import { spend, withBudget } from './spending.mjs'

/**
 * @typedef {import('@agentm/harness').StepKind} StepKind
 * @typedef {import('@agentm/harness').StepRun} StepRun
 * @typedef {import('@agentm/harness').StepOutcome} StepOutcome
 * @typedef {import('@agentm/harness').NewStep} NewStep
 * @typedef {import('@agentm/harness').NewPlan} NewPlan
 */

/**
 * @typedef {object} Sign of a run that goes on
 * @property {string} stepId
 * @property {string} planId
 * @property {number} at by a clock that is right
 */

/**
 * What happened outside the log.
 * @typedef {object} Seen
 * @property {Map<string, number>} calls effects and work done, by idempotency key
 * @property {Map<string, number>} runs runs that began, by step
 * @property {number} together the most runs that one process had at once
 * @property {Map<number, number>} written when each version was written, by a clock that is right
 * @property {Sign[]} signs of long runs
 * @property {Map<string, readonly import('@agentm/harness').Dependency[]>} given what each run was told of the steps before it
 */

/** @returns {Seen} */
export function nothingSeen() {
  return { calls: new Map(), runs: new Map(), together: 0, written: new Map(), signs: [], given: new Map() }
}

/** Longer than a worker stands still and an answer takes together: what comes sooner than half of it came too early. */
const longMs = 90_000

/** Of one process. @param {Seen} seen @param {{ readonly die: () => void, readonly time: { readonly now: number } }} process @returns {readonly StepKind[]} */
export function kindsOf(seen, { die, time }) {
  const { calls, runs, given, signs } = seen
  let now = 0
  /** @param {StepRun} run */
  const happen = async (run) => {
    const key = run.step.idempotencyKey ?? run.id
    calls.set(key, (calls.get(key) ?? 0) + 1)
    await run.runtime.sleep(inputOf(run, 'ms', 1), run.signal)
  }
  /** @param {StepRun} run @returns {Promise<StepOutcome>} */
  const work = async (run) => {
    given.set(run.id, await run.dependencies())
    await happen(run)
    return { end: 'done', result: { by: run.id } }
  }
  /** @type {readonly StepKind[]} */
  const kinds = [
    { name: 'work', run: work },
    { name: 'effect', natureOf: () => 'effectful', run: work },
    { name: 'late', run: work },
    { name: 'fails', run: async (run) => failing(run) },
    { name: 'spends', run: spend },
    {
      name: 'long',
      async run(run) {
        for (let n = 0; n < 60; n++) {
          await run.resumed()
          signs.push({ stepId: run.id, planId: run.planId, at: time.now })
          await run.runtime.sleep(2000, run.signal)
        }
        return { end: 'done' }
      },
    },
    { name: 'asks', run: async (run) => asking(run) },
    { name: 'sleeps', run: async (run) => waitingOnce(run, runs, { for: 'time', until: run.now() + longMs }) },
    {
      name: 'limited',
      run: async (run) =>
        waitingOnce(run, runs, { for: 'rate-limit', until: run.now() + longMs, message: 'too many requests' }),
    },
    { name: 'starts', run: async (run) => starting(run) },
    {
      name: 'poison',
      async run(run) {
        if ((runs.get(run.id) ?? 0) <= inputOf(run, 'times', 0)) die()
        // A dead process comes no further than this.
        await run.runtime.sleep(1)
        return { end: 'done' }
      },
    },
  ]
  return kinds.map((kind) => ({
    ...kind,
    async run(run) {
      runs.set(run.id, (runs.get(run.id) ?? 0) + 1)
      let isCounted = true
      const leave = () => {
        if (isCounted) now -= 1
        isCounted = false
      }
      now += 1
      seen.together = Math.max(seen.together, now)
      // A run that was told to end and takes its time is left behind, and holds no slot.
      run.signal.addEventListener('abort', leave)
      try {
        return await kind.run(run)
      } finally {
        leave()
      }
    },
  }))
}

/** @param {StepRun} run @param {string} name @param {number} otherwise */
function inputOf({ step }, name, otherwise) {
  return Number(step.input?.[name] ?? otherwise)
}

/** @param {StepRun} run @returns {StepOutcome} */
function failing(run) {
  return (run.step.failures ?? 0) < inputOf(run, 'times', 0)
    ? { end: 'failed', failure: { message: 'not yet', ...(run.step.retry === undefined && { retryable: true }) } }
    : { end: 'done' }
}

/** @param {StepRun} run @returns {StepOutcome} */
function asking(run) {
  const answer = run.step.answers?.['q']?.value
  if (answer !== undefined) return { end: 'done', result: { answer } }
  const question = { id: 'q', text: 'go on?', allowed: ['yes', 'no'] }
  if (run.step.input?.['deadline'] !== true) return { end: 'asks', question }
  return { end: 'asks', question: { ...question, deadline: run.now() + longMs, default: 'no' } }
}

/**
 * The first run of a step waits, the second is done; told by the log, because the process that waited may be gone.
 * @param {StepRun} run @param {Map<string, number>} runs @param {import('@agentm/harness').Step['waitsFor'] & { readonly for: 'time' | 'rate-limit' }} waitsFor
 * @returns {StepOutcome}
 */
function waitingOnce(run, runs, waitsFor) {
  return (runs.get(run.id) ?? 0) <= inputOf(run, 'times', 1) ? { end: 'waits', waitsFor } : { end: 'done' }
}

/** @param {StepRun} run @returns {Promise<StepOutcome>} */
async function starting(run) {
  const steps = [
    { key: 'a', title: 'a', kind: 'work', input: { ms: inputOf(run, 'ms', 1) } },
    { key: 'b', title: 'b', kind: run.step.input?.['slow'] === true ? 'sleeps' : 'work', dependsOn: ['a'] },
  ]
  const { planId } = await run.startPlan({ key: 'child', goal: 'child', steps })
  const { status } = await run.planEnd(planId)
  if (status === 'open' || status === 'running') return { end: 'waits', waitsFor: { for: 'plan', planId } }
  return { end: 'done', result: { child: status } }
}

/** @param {() => number} random @param {() => number} ofBudget @returns {Pick<NewPlan, 'steps' | 'budget'>} */
export function randomPlan(random, ofBudget) {
  const plan = withBudget(randomGraph(random), ofBudget)
  if ('budget' in plan || ofBudget() < 0.4) return plan
  const budget =
    ofBudget() < 0.5 ? { maxSteps: 1 + Math.floor(ofBudget() * 5) } : { maxWallClockMs: 1 + ofBudget() * 20_000 }
  return { ...plan, budget }
}

/** @param {() => number} random @returns {readonly NewStep[]} */
function randomGraph(random) {
  const size = 1 + Math.floor(random() * 7)
  return Array.from({ length: size }, (_, i) => {
    const dependsOn = Array.from({ length: i }, (__, j) => `s${j}`).filter(() => random() < 0.35)
    return { key: `s${i}`, title: `s${i}`, dependsOn, ...randomRetry(random), ...randomWork(random) }
  })
}

/** @param {() => number} random @returns {Pick<NewStep, 'retry'>} */
function randomRetry(random) {
  const dice = random()
  const patient = { maxFailures: 50, maxCrashes: 50, baseMs: 50, capMs: 500 }
  if (dice < 0.4) return { retry: patient }
  if (dice < 0.55) return { retry: { ...patient, maxFailures: 2, maxCrashes: 3 } }
  return dice < 0.85 ? { retry: { ...patient, baseMs: longMs, capMs: longMs } } : {}
}

/** @param {() => number} random @returns {Pick<NewStep, 'kind' | 'input' | 'onUnknown' | 'timeoutMs'>} */
function randomWork(random) {
  const dice = random()
  const ms = random() < 0.2 ? random() * 8000 : random() * 300
  if (dice < 0.23) return { kind: 'work', input: { ms } }
  if (dice < 0.3) return { kind: 'long' }
  if (dice < 0.6)
    return { kind: 'effect', input: { ms: random() < 0.3 ? random() * 8000 : ms }, ...randomUnknown(random) }
  if (dice < 0.7) return { kind: 'fails', input: { times: 1 + Math.floor(random() * 4) } }
  if (dice < 0.8) return { kind: 'asks', input: { deadline: random() < 0.5 } }
  if (dice < 0.84) return { kind: 'sleeps' }
  if (dice < 0.87) return { kind: 'limited' }
  if (dice < 0.94) return { kind: 'starts', input: { ms, slow: random() < 0.5 } }
  if (dice < 0.97) return { kind: 'poison', input: { times: Math.floor(random() * 6) } }
  return { kind: 'late', input: { ms: longMs * 2 }, timeoutMs: 400 }
}

/** What is not said is asked. @param {() => number} random @returns {Pick<NewStep, 'onUnknown'>} */
function randomUnknown(random) {
  const dice = random()
  if (dice < 0.5) return {}
  return { onUnknown: dice < 0.6 ? 'ask' : dice < 0.85 ? 'fail' : 'retry' }
}
