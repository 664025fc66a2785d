/**
 * What to take back when this process ends: locks and half-written files. Nobody's death is swallowed. A signal that
 * only we listen to is sent again once everything is clean; where the program listens too, it decides, and we clean up
 * when it exits. Kept per process, not per copy of this package: two copies would each take the other for the program.
 */
type Undo = () => void

interface Watch {
  readonly undos: Set<Undo>
  /** Steps under way whose outcome decides whether there is something to undo. */
  readonly pending: Set<Promise<unknown>>
  listening: boolean
  idle: NodeJS.Timeout | undefined
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const idleMs = 1_000
const slot = Symbol.for('@agentm/vault-lock/on-death/1')
const shared = globalThis as { [slot]?: Watch }
const watch: Watch = (shared[slot] ??= { undos: new Set(), pending: new Set(), listening: false, idle: undefined })

/** `undo` runs synchronously when the process ends, unless the returned function was called before. */
export function onDeath(undo: Undo): () => void {
  listen()
  watch.undos.add(undo)
  return () => {
    watch.undos.delete(undo)
    stopSoon()
  }
}

/** A death by signal waits for this step, which may call `onDeath` when it has succeeded. */
export async function beforeDeath<T>(step: Promise<T>): Promise<T> {
  listen()
  watch.pending.add(step)
  try {
    return await step
  } finally {
    watch.pending.delete(step)
    stopSoon()
  }
}

function listen(): void {
  clearTimeout(watch.idle)
  watch.idle = undefined
  if (watch.listening) return
  watch.listening = true
  process.on('exit', undoAll)
  for (const signal of signals) process.prependListener(signal, onSignal)
}

/** Not at once: to listen costs more than a write, and the next is often near. */
function stopSoon(): void {
  if (watch.undos.size + watch.pending.size === 0) watch.idle ??= setTimeout(stopListening, idleMs).unref()
}

function stopListening(): void {
  watch.idle = undefined
  if (watch.undos.size + watch.pending.size > 0) return
  watch.listening = false
  process.off('exit', undoAll)
  for (const signal of signals) process.off(signal, onSignal)
}

function onSignal(signal: NodeJS.Signals): void {
  // Stepping aside first: others decide by counting listeners whether the process shall die, and must not count us.
  process.off(signal, onSignal)
  if (process.listenerCount(signal) > 0) setImmediate(listenAgain, signal)
  else if (watch.pending.size === 0) die(signal)
  else void Promise.allSettled(watch.pending).then(() => die(signal))
}

function listenAgain(signal: NodeJS.Signals): void {
  if (watch.listening && !process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal)
}

function die(signal: NodeJS.Signals): void {
  undoAll()
  process.kill(process.pid, signal)
}

function undoAll(): void {
  for (const undo of watch.undos) {
    try {
      undo()
    } catch {
      // The process is ending and the next undo matters as much; what stays behind is found by age.
    }
  }
}
