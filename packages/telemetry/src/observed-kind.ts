import type { DurableFunction, StepKind } from '@agentm/harness'
import { observedFunction } from './observed-function.ts'
import { runningIn } from './running-in.ts'
import type { Signals } from './signals.ts'

/** The same kind of steps. What a run does, in any library that reports spans, belongs to the span of its attempt. */
export function observedKind(kind: StepKind, { live, ids }: Signals): StepKind {
  return {
    ...kind,
    ...(kind.natureOf !== undefined && { natureOf: kind.natureOf.bind(kind) }),
    async run(run) {
      const traced = live.get(run.id)?.traced
      if (traced === undefined) return kind.run(run)
      // Spans inside of its steps need the ids that those will have.
      const seen = isFunction(kind) && ids.isInUse ? observedFunction(kind, traced.span.spanContext()) : kind
      return runningIn(traced.context, () => seen.run(run))
    },
  }
}

function isFunction(kind: StepKind): kind is DurableFunction {
  return 'withBody' in kind
}
