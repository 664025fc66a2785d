/**
 * The last checks before a change that cannot be undone. All run at the same time, so that no result gets old while another check runs. If
 * the process was suspended meanwhile, the checks run again, because another process may have the lock by now.
 */
import { both } from './both.ts'
import type { Hold, LiveHold } from './lock-queue.ts'

export async function askLast(hold: Hold | undefined, confirm?: () => Promise<void>): Promise<void> {
  for (;;) {
    await both(hold?.check() ?? Promise.resolve(), confirm?.())
    if ((hold as Partial<LiveHold> | undefined)?.late !== true) return
  }
}
