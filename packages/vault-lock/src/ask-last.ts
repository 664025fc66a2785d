/**
 * The last questions before a change that cannot be taken back. Asked all at once: no answer grows old while another is waited
 * for. A process that stood still over the answers asks again: by now the lock may be another's.
 */
import { both } from './both.ts'
import type { Hold, LiveHold } from './lock-queue.ts'

export async function askLast(hold: Hold | undefined, confirm?: () => Promise<void>): Promise<void> {
  for (;;) {
    await both(hold?.check() ?? Promise.resolve(), confirm?.())
    if ((hold as Partial<LiveHold> | undefined)?.late !== true) return
  }
}
