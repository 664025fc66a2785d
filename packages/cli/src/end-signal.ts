/** Aborts when somebody asks this process to end. A second time ends it at once. */
export function endSignal(): AbortSignal {
  const end = new AbortController()
  const stop = () => {
    for (const signal of signals) process.off(signal, stop)
    end.abort()
  }
  for (const signal of signals) process.once(signal, stop)
  return end.signal
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
