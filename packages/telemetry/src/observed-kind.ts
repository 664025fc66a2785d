import type { StepKind } from '@agentm/harness'
import { runningIn } from './running-in.ts'
import type { Signals } from './signals.ts'

/** The same kind of steps. What a run does, in any library that reports spans, belongs to the span of its attempt. */
export function observedKind(kind: StepKind, { live }: Signals): StepKind {
  return {
    ...kind,
    ...(kind.natureOf !== undefined && { natureOf: kind.natureOf.bind(kind) }),
    async run(run) {
      const traced = live.get(run.id)?.traced
      return traced === undefined ? kind.run(run) : runningIn(traced.context, () => kind.run(run))
    },
  }
}
