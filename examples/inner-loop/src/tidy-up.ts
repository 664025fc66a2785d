import { type Checkpoint, createEffectLog, type EffectLog, runInnerLoop, stepOutcome } from '@agentm/agent-loop'
import { tidyModel } from './tidy-model.ts'
import { type Shelf, toolsFor } from './tools.ts'

export interface TidyOptions {
  /** Keep it where it outlives the process, and no file is removed twice. */
  readonly effects?: EffectLog
  readonly save?: (checkpoint: Checkpoint) => Promise<void>
  readonly from?: Checkpoint
}

export async function tidyUp(shelf: Shelf, { effects = createEffectLog(), ...options }: TidyOptions = {}) {
  const end = await runInnerLoop({
    model: tidyModel,
    tools: toolsFor(shelf),
    messages: [{ role: 'user', text: 'Remove what is temporary.' }],
    work: { plan: 'home', step: 'tidy', effects },
    ...options,
  })
  return end.ended === 'stopped' ? stepOutcome(end.stop) : { ok: false, message: end.question.text }
}
