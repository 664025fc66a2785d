/** Opens memory when it is first asked for, once for all who ask. An opening that failed is tried again by the next one. */
import type { MemoryPort, OpenMemoryPort } from './memory-port.ts'

export interface LazyPort {
  readonly get: OpenMemoryPort
  /** Closes what was opened. The next call opens it again. */
  close(): Promise<void>
}

export function lazyPort(open: OpenMemoryPort): LazyPort {
  let opening: Promise<MemoryPort> | undefined
  return {
    get() {
      if (opening !== undefined) return opening
      const started = open()
      opening = started
      started.catch(() => {
        if (opening === started) opening = undefined
      })
      return started
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      opening = undefined
      await opened?.close()
    },
  }
}
