/** A harness over an in-memory store, with a kind whose runs a test scripts by step title. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import type { NodeStore } from '@agentm/nodes'
import {
  harnessConcepts,
  openHarness,
  type Runtime,
  startWorker,
  type StepKind,
  type StepOutcome,
  type StepRun,
  systemRuntime,
  type Worker,
  type WorkerOptions,
} from '../src/index.ts'

export type Script = Readonly<Record<string, (run: StepRun) => Promise<StepOutcome> | StepOutcome>>

export interface Setup {
  readonly store: NodeStore
  readonly harness: ReturnType<typeof openHarness>
  /** Titles in the order their runs began. */
  readonly ran: string[]
  readonly errors: unknown[]
  readonly worker: (options?: Partial<WorkerOptions>) => Promise<Worker>
  /** Resolves with the plan once it has ended. */
  readonly ended: (planId: string) => Promise<Awaited<ReturnType<ReturnType<typeof openHarness>['plan']>>>
  readonly close: () => Promise<void>
}

export function setup(
  script: Script = {},
  given: { readonly store?: NodeStore; readonly runtime?: Runtime } = {},
): Setup {
  const { runtime = systemRuntime } = given
  const store = given.store ?? createInMemoryStore({ concepts: harnessConcepts, runtime })
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const [ran, errors, workers]: [string[], unknown[], Worker[]] = [[], [], []]
  return {
    store,
    harness,
    ran,
    errors,
    async worker(options = {}) {
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
    ended: (planId) => harness.ended(planId),
    async close() {
      for (const worker of workers) await worker.stop()
      await store.close()
    },
  }
}

/** Titles without a script are done at once. */
export function scripted(script: Script, ran: string[] = []): StepKind {
  return {
    name: 'scripted',
    async run(run) {
      ran.push(run.step.title)
      return (await script[run.step.title]?.(run)) ?? { end: 'done' }
    },
  }
}

/** Steps of the scripted kind: each title with the titles it depends on. */
export function steps(graph: Readonly<Record<string, readonly string[]>>, more: object = {}) {
  return Object.entries(graph).map(([key, dependsOn]) => ({ key, title: key, kind: 'scripted', dependsOn, ...more }))
}

/** A step that runs until its signal aborts. */
export async function untilAborted({ signal }: StepRun): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
