// @ts-check
/** A harness over an in-memory store, with a kind whose runs a test scripts by step title. */
import { systemRuntime } from '@agentm/agent-loop'
import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'

/** @typedef {import('@agentm/agent-loop').Runtime} Runtime */
/** @typedef {import('@agentm/harness').StepRun} StepRun */
/** @typedef {import('@agentm/harness').StepOutcome} StepOutcome */
/** @typedef {import('@agentm/harness').WorkerOptions} WorkerOptions */
/** @typedef {import('@agentm/nodes').NodeStore} NodeStore */
/** @typedef {Readonly<Record<string, (run: StepRun) => Promise<StepOutcome> | StepOutcome>>} Script */
/** @typedef {ReturnType<typeof setup>} Setup */

/**
 * @param {Script} [script]
 * @param {{ readonly store?: NodeStore, readonly runtime?: Runtime }} [given]
 */
export function setup(script = {}, given = {}) {
  const { runtime = systemRuntime } = given
  const store = given.store ?? createInMemoryStore({ concepts: harnessConcepts, runtime })
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  /** @type {string[]} Titles in the order their runs began. */
  const ran = []
  /** @type {unknown[]} */
  const errors = []
  /** @type {import('@agentm/harness').Worker[]} */
  const workers = []
  return {
    store,
    harness,
    ran,
    errors,
    /** @param {Partial<WorkerOptions>} [options] */
    worker: async (options = {}) => {
      const worker = await startWorker({
        store,
        owners: ['ada'],
        kinds: [scripted(script, ran)],
        runtime,
        onError: (error) => errors.push(error),
        ...options,
      })
      workers.push(worker)
      return worker
    },
    /**
     * Resolves with the plan once it has ended.
     * @param {string} planId
     */
    ended: (planId) => harness.ended(planId),
    close: async () => {
      for (const worker of workers) await worker.stop()
      await store.close()
    },
  }
}

/**
 * Titles without a script are done at once.
 * @param {Script} script
 * @param {string[]} [ran]
 * @returns {import('@agentm/harness').StepKind}
 */
export function scripted(script, ran = []) {
  return {
    name: 'scripted',
    async run(run) {
      ran.push(run.step.title)
      return (await script[run.step.title]?.(run)) ?? { end: 'done' }
    },
  }
}

/**
 * Steps of the scripted kind: each title with the titles it depends on.
 * @param {Readonly<Record<string, readonly string[]>>} graph
 * @param {object} [more]
 */
export function steps(graph, more = {}) {
  return Object.entries(graph).map(([key, dependsOn]) => ({ key, title: key, kind: 'scripted', dependsOn, ...more }))
}

/**
 * A step that runs until its signal aborts.
 * @param {StepRun} run
 * @returns {Promise<never>}
 */
export async function untilAborted({ signal }) {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
