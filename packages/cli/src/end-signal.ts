import type { EventEmitter } from 'node:events'

/** Aborts when somebody asks this process to end. A second time ends it at once. */
export function endSignal(): AbortSignal {
  const end = new AbortController()
  const stop = () => {
    for (const signal of signals) emitter.off(signal, stop)
    end.abort()
  }
  for (const signal of signals) emitter.once(signal, stop)
  return end.signal
}

/** Asks this process itself; answers whether a command listens for that. */
export function askToEnd(): boolean {
  return emitter.emit(asked)
}

// On the process, as signals are: what is loaded from the bundle and what is loaded beside it each have this module once.
const emitter: EventEmitter = process
const asked = 'agentm:end'
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', asked] as const
