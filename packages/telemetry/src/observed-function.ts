import type { DurableFunction, Run, StepContext } from '@agentm/harness'
import { contextOf } from './new-span.ts'
import { entryAttemptPlace, type SpanPlace } from './pure/span-ids.ts'
import { runningIn } from './running-in.ts'

/**
 * The same function, for one pass. What a step of it does, in any library that reports spans, belongs to the span of that step. `pass` is
 * the place of the attempt that runs the pass.
 */
export function observedFunction(made: DurableFunction, pass: SpanPlace): DurableFunction {
  return made.withBody((run, input) => made.body(observedRun(run, pass), input))
}

function observedRun(run: Run, pass: SpanPlace): Run {
  const inside = async <T>(context: StepContext, work: () => Promise<T> | T): Promise<T> =>
    runningIn(contextOf(entryAttemptPlace(pass, context)), async () => work())
  const insideUndo = <T>(undo: ((result: T, context: StepContext) => unknown) | undefined) =>
    undo && {
      undo: (result: T, context: StepContext) => inside(context, () => undo(result, context)),
    }
  return {
    ...run,
    step: (name, work, options) =>
      run.step(
        name,
        (context) => inside(context, () => work(context)),
        options && { ...options, ...insideUndo(options.undo) },
      ),
    map: (name, items, work, options) =>
      run.map(
        name,
        items,
        (item, context) => inside(context, () => work(item, context)),
        options && { ...options, ...insideUndo(options.undo) },
      ),
  }
}
