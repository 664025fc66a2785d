/**
 * Cleans up locks and half-written files when this process ends. Signals still end the process: if only this package listens to a signal,
 * it sends the signal again after the clean-up. If the program listens too, the program decides, and the clean-up runs at exit. The state
 * is kept per process and not per copy of this package, because two copies would each take the other for the program.
 */
type Undo = () => void

interface Watch {
  readonly undos: Set<Undo>
  /** Running steps whose result decides whether there is something to undo. */
  readonly pending: Set<Promise<unknown>>
  listening: boolean
  idle: NodeJS.Timeout | undefined
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const idleMs = 1_000
const slot = Symbol.for('@agentm/vault-lock/on-death/1')
const shared = globalThis as { [slot]?: Watch }
const watch: Watch = (shared[slot] ??= { undos: new Set(), pending: new Set(), listening: false, idle: undefined })

/** Runs `undo` synchronously when the process ends, unless the returned function was called before. */
export function onDeath(undo: Undo): () => void {
  listen()
  watch.undos.add(undo)
  return () => {
    watch.undos.delete(undo)
    stopSoon()
  }
}

/** A signal ends the process only after this step, which may call `onDeath` when it has succeeded. */
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

/** Stops listening after a delay, because adding listeners costs more than a write and the next write often follows soon. */
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
  // Removes our listener first, because other packages count the listeners to decide whether the process should end.
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
      // An error here must not prevent the next undo. A file that stays behind is removed later because of its age.
    }
  }
}
