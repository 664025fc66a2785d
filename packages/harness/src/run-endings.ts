/** The reason why a run is stopped. Its class decides what happens to the step. */

/** The worker shuts down, so the step is handed back for another worker. */
export class ShutdownSignal extends Error {
  override readonly name = 'ShutdownSignal'
  readonly code = 'WORKER_STOPPING'
  constructor() {
    super('the worker is stopping')
  }
}

/** The step ran longer than its timeout. */
export class DeadlineSignal extends Error {
  override readonly name = 'DeadlineSignal'
  readonly code = 'STEP_TIMEOUT'
  constructor(ms: number) {
    super(`the step was stopped after its timeout of ${ms} ms. Give it a longer timeoutMs, or make it smaller`)
  }
}

/** The lease could not be renewed in time or the log cannot be reached, so another worker may already run the step. */
export class UntrustedSignal extends Error {
  override readonly name = 'UntrustedSignal'
  readonly code = 'LEASE_UNTRUSTED'
  constructor(why = 'the lease of this worker could not be renewed in time') {
    super(why)
  }
}
