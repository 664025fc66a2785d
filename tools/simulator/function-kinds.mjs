// @ts-check
/** The durable function that runs a simulated program in one process, and what it leaves behind outside the log. */
import { durable } from '@agentm/harness'
import { runProgram } from './function-programs.mjs'

/**
 * @typedef {import('@agentm/harness').Run} Run
 * @typedef {import('@agentm/harness').StepContext} StepContext
 * @typedef {import('./function-programs.mjs').Program} Program
 * @typedef {import('./function-programs.mjs').StepOp} StepOp
 * @typedef {import('./function-programs.mjs').Asking} Asking
 */

/**
 * What happened outside the log, by a clock that is right.
 * @typedef {object} FunctionsSeen
 * @property {{ readonly run: string, readonly name: string, readonly at: number, readonly attempt: number }[]} began attempts of
 *   steps; `attempt` is how many failures the process knew of
 * @property {Map<string, number>} effects how often each step got to its effect, by run and name
 * @property {string[]} strange what a step saw and may not see
 */

/** @returns {FunctionsSeen} */
export function noFunctionsSeen() {
  return { began: [], effects: new Map(), strange: [] }
}

/** Of one process. @param {FunctionsSeen} seen @param {{ readonly runtime: Pick<import('@agentm/agent-loop').Runtime, 'sleep'>, readonly time: { readonly now: number } }} process */
export function programIn(seen, { runtime, time }) {
  /** @type {import('@agentm/harness').DurableFunction<Program, readonly unknown[]>} */
  const program = durable('program', { input: asItIs }, (run, given) => runProgram(given, askingOf(run)))

  /** @param {Run} run @param {string} name @param {StepContext} context @param {number} ms */
  const happen = async (run, name, context, ms) => {
    seen.began.push({ run: run.id, name, at: time.now, attempt: context.attempt })
    await runtime.sleep(ms, context.signal)
    const key = `${run.id} ${name}`
    seen.effects.set(key, (seen.effects.get(key) ?? 0) + 1)
  }

  /** @param {Run} run @returns {Asking} */
  const askingOf = (run) => ({
    step: (op) =>
      run.step(
        op.name,
        async (context) => {
          if (context.attempt < op.fails) {
            seen.began.push({ run: run.id, name: op.name, at: time.now, attempt: context.attempt })
            throw new Error(`${op.name} fails`)
          }
          await happen(run, op.name, context, op.ms)
          return `${op.name} is done`
        },
        {
          retry: { maxFailures: 3, baseMs: op.patience, capMs: op.patience },
          ...(op.nature && { nature: op.nature }),
          ...(op.onUnknown && { onUnknown: op.onUnknown }),
          ...(op.undo && {
            undo: (result, context) => {
              if (result !== undefined && result !== `${op.name} is done`)
                seen.strange.push(`${op.name} is taken back with ${JSON.stringify(result)}`)
              return happen(run, `undo ${op.name}`, context, 5)
            },
          }),
        },
      ),
    map: (op) => {
      let together = 0
      return run.map(
        op.name,
        Array.from({ length: op.items }, (_, i) => i),
        async (i, context) => {
          together += 1
          if (together > op.atOnce)
            seen.strange.push(`${op.name} ran ${together} items at once, and may run ${op.atOnce}`)
          try {
            await happen(run, `${op.name}[${i}]`, context, op.ms)
          } finally {
            together -= 1
          }
          return i * i
        },
        { concurrency: op.atOnce },
      )
    },
    sleep: (op) => run.sleep(op.ms),
    signal: (op) => (op.ms === undefined ? run.signal(op.name) : run.signal(op.name, { timeout: op.ms })),
    ask: (op) =>
      op.ms === undefined ? run.ask(op.question, { options }) : run.ask(op.question, { options, timeout: op.ms }),
    call: (op) => run.call(program, op.program),
    race: (promises) => run.race(promises),
    note: async ({ how, name }) => {
      if (how === 'patch') return run.patched(name)
      return how === 'emit' ? run.emit(name) : run.show(name, name)
    },
    draw: async ({ name }) => {
      const drawn = [run.random(), run.newId()].join(' ')
      return (await run.step(name, () => drawn)) === drawn
    },
    now: () => run.now(),
  })
  return program
}

const options = ['yes', 'no']

/** Programs are made here and need no check. @type {import('@agentm/harness').DurableFunction<Program>['shape']['input']} */
const asItIs = {
  '~standard': { version: 1, vendor: 'simulator', validate: (value) => ({ value: /** @type {Program} */ (value) }) },
}
