import type { EventEmitter } from 'node:events'

/** Aborts when this process is asked to end. A second signal ends it at once. */
export function endSignal(): AbortSignal {
  const end = new AbortController()
  const stop = () => {
    for (const signal of signals) emitter.off(signal, stop)
    end.abort()
  }
  for (const signal of signals) emitter.once(signal, stop)
  return end.signal
}

/** Asks this process to end; returns whether a command listens. */
export function askToEnd(): boolean {
  return emitter.emit(asked)
}

// Events of the process itself, because the bundle and the files beside it each have their own copy of this module.
const emitter: EventEmitter = process
const asked = 'agentm:end'
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', asked] as const
