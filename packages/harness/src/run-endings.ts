/** Why a run is told to end before it has. The class of the reason decides what becomes of the step. */

/** The worker shuts down: the step goes back to be claimed by another. */
export class ShutdownSignal extends Error {
  override readonly name = 'ShutdownSignal'
  readonly code = 'WORKER_STOPPING'
  constructor() {
    super('the worker is stopping')
  }
}

/** The step's own deadline has passed. */
export class DeadlineSignal extends Error {
  override readonly name = 'DeadlineSignal'
  readonly code = 'STEP_TIMEOUT'
  constructor(ms: number) {
    super(`it took longer than the ${ms} ms it may take`)
  }
}

/** The lease could not be renewed in time, so somebody else may be running the step already; or the store is lost. */
export class UntrustedSignal extends Error {
  override readonly name = 'UntrustedSignal'
  readonly code = 'LEASE_UNTRUSTED'
  constructor(why = 'the lease of this worker could not be renewed in time') {
    super(why)
  }
}
