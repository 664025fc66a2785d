/** Starts the code of a function, and gives it what earlier passes recorded, in the order of the log. Nothing new begins. */
import type { Recorded } from './function-log.ts'
import type { Journal } from './journal.ts'
import { type BodyEnd, codeWaits, type PassCode } from './pass-code.ts'
import type { PassSettings } from './pass-desk.ts'
import type { Slot } from './slot.ts'
import type { Wake } from '../wake.ts'

export interface Recording {
  readonly body: () => Promise<BodyEnd>
  readonly journal: Journal
  readonly settings: Pick<PassSettings, 'runtime' | 'signal'>
  /** Rings when the code has asked for something. */
  readonly wake: Wake
}

/** A changed function may never ask for what it recorded. It is given this long, in case it waits for something of its own. */
const longestSilenceMs = 10_000

export async function giveRecorded(code: PassCode, recording: Recording): Promise<void> {
  const { body, journal } = recording
  await code.begin(body, journal)
  for (const recorded of journal.given) {
    if (code.isStopped) return
    if (recorded.entry.op === 'cancel') await code.giveCancel(recorded)
    else {
      const slot = await slotFor(code, recorded, recording)
      if (slot === undefined) return
      await code.give(slot, recorded)
    }
  }
}

/** The slot of what was recorded, once the function has asked for it; `undefined` if it does not. */
async function slotFor(
  code: PassCode,
  recorded: Recorded,
  { settings: { runtime, signal }, wake }: Recording,
): Promise<Slot | undefined> {
  const { position } = recorded.entry
  const giveUpAt = runtime.now() + longestSilenceMs
  while (code.slotAt(position) === undefined) {
    if (code.isStopped || signal.aborted) return undefined
    if (runtime.now() >= giveUpAt) {
      code.stopFor(recorded, undefined)
      return undefined
    }
    await wake.wait(giveUpAt - runtime.now(), signal)
    await codeWaits()
  }
  return code.slotAt(position)
}
