/** The durable function behind `foreach`, `when`, `until` and the other words of a plan file, for one step of the plan. */
import { redactSecrets } from '@agentm/nodes'
import type { NewPlan, NewStep } from '../new-plan.ts'
import { FunctionStepFailedError } from '../functions/function-errors.ts'
import type { Span } from '../functions/pure/span.ts'
import type { Run } from '../functions/run.ts'
import { approvalInput } from '../kinds/approval-kind.ts'
import { type ControlledAction, type ControlledStep, isSpan } from './controlled-step.ts'
import { dataProblems, type DataSchema } from './data-schema.ts'
import { controlKindName } from './pure/control-kind-name.ts'
import { evaluate, type Scope, truthOf } from './pure/evaluate.ts'
import { parseExpression, referencesIn } from './pure/expression.ts'
import { stepOutput } from './pure/step-output.ts'
import { filled } from './pure/template.ts'
import { textOf, textsOfKind } from './pure/texts-of-kind.ts'

/** How a controlled step ended. With `foreach`, `output` is the list of the outputs of all items. */
export interface ControlledEnd {
  readonly output: unknown
  /** `when` was not so. With `foreach`: of no item. */
  readonly skipped: boolean
}

const usualAtOnce = 4
const usualAtMost = 10
const usualPause = '10 seconds'

export async function runControlled(run: Run, step: ControlledStep, scope: Scope): Promise<ControlledEnd> {
  const { foreach, atOnce = usualAtOnce, key } = step
  if (foreach === undefined) return once(run, step, { name: key, scope })
  const items = itemsOf(foreach, scope)
  const ends = await inLanes(items, atOnce, (item, index) =>
    once(run, step, { name: `${key}[${index}]`, scope: { ...scope, item, index } }),
  )
  return {
    output: ends.map(({ output }) => output),
    skipped: ends.length > 0 && ends.every(({ skipped }) => skipped),
  }
}

/** What a skipped step gave is absent, and there is nothing to do for each of it. */
function itemsOf(foreach: string | readonly unknown[], scope: Scope): readonly unknown[] {
  const list = typeof foreach === 'string' ? evaluate(parseExpression(foreach), scope) : filled(foreach, scope)
  if (list === null) return []
  if (Array.isArray(list)) return list
  throw new Error(`foreach: ${String(foreach)} is no list, but ${JSON.stringify(list).slice(0, 80)}`)
}

/** After a failure no further item is begun, and those that run come to their end. */
async function inLanes<T>(
  items: readonly unknown[],
  atOnce: number,
  work: (item: unknown, index: number) => Promise<T>,
): Promise<readonly T[]> {
  const ends: T[] = []
  const failures: unknown[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++
      try {
        ends[index] = await work(items[index], index)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
  return ends
}

interface Place {
  /** Stands in the journal, so it must not hold anything that the log would mask. */
  readonly name: string
  readonly scope: Scope
}

async function once(run: Run, step: ControlledStep, place: Place): Promise<ControlledEnd> {
  const { when, until, every = usualPause, atMost = usualAtMost } = step
  if (when !== undefined && !truthOf(parseExpression(when), place.scope)) return { output: null, skipped: true }
  if (until === undefined) return { output: (await act(run, step, place)).output, skipped: false }
  const isOver = parseExpression(until)
  const bearsFailure = referencesIn(isOver).some(([root]) => root === 'failed')
  for (let tries = 1; ; tries += 1) {
    const tried = await attempt(run, step, { ...place, bearsFailure })
    if (truthOf(isOver, { ...place.scope, ...tried, tries })) return { output: tried.output, skipped: false }
    if (tries >= atMost)
      throw new Error(`${place.name} was tried ${tries} times (atMost), and this never became true: until: ${until}`)
    await run.sleep(every)
  }
}

interface Tried {
  readonly output: unknown
  readonly failed: boolean
}

async function attempt(
  run: Run,
  step: ControlledStep,
  place: Place & { readonly bearsFailure: boolean },
): Promise<Tried> {
  try {
    return await act(run, step, place)
  } catch (error) {
    const isFailure = error instanceof FunctionStepFailedError || error instanceof OutputMismatch
    if (!place.bearsFailure || !isFailure) throw error
    return { output: null, failed: true }
  }
}

async function act(run: Run, { action, needs, output: schema }: ControlledStep, place: Place): Promise<Tried> {
  const output = (await done(run, action, { ...place, needs })) ?? null
  if (schema !== undefined) checkOutput(output, { name: place.name, schema })
  return { output, failed: false }
}

/** What a step gave does not fit its `output`. */
class OutputMismatch extends Error {}

function checkOutput(output: unknown, { name, schema }: { readonly name: string; readonly schema: DataSchema }): void {
  const problems = dataProblems(schema, output)
  if (problems.length === 0) return
  const gave = JSON.stringify(output).slice(0, 200)
  throw new OutputMismatch(`${name} gave what its output does not allow: ${problems.join('; ')}. It gave: ${gave}`)
}

async function done(
  run: Run,
  action: ControlledAction,
  { name, scope, needs }: Place & Pick<ControlledStep, 'needs'>,
): Promise<unknown> {
  switch (action.do) {
    case 'step': {
      const { kind = 'agent' } = action.step
      const step = { ...filledStep(action.step, kind, scope), key: name }
      if (kind === 'approval') return approved(run, step)
      const told = kind === 'agent' ? { ...step, input: { ...earlier(needs, scope), ...step.input } } : step
      const results = await run.plan({ goal: name, steps: [told] })
      return stepOutput(kind, results[name])
    }
    case 'plan': {
      const { goal: _, steps, input, budget, inputs, check } = action
      const given = input && filled(input, scope)
      checkInputs(given, { name, inputs })
      const limits = { ...(budget && { budget }), ...(check && { check }) }
      const plan = { goal: name, steps, ...(given && { input: given }), ...limits }
      return outputsOf(plan, await run.plan(plan))
    }
    case 'sleep':
      return run.sleep(spanOf(filled<unknown>(action.for, scope)))
    case 'sleep until':
      return run.sleep({ until: timeOf(filled<unknown>(action.until, scope)) })
    case 'ask': {
      const { options, timeout, mayAnswer } = action
      return asked(run, textOf(filled(action.question, scope)), { options, timeout, mayAnswer })
    }
    default: {
      const { name: signal, timeout } = action
      return timeout === undefined ? run.signal(signal) : run.signal(signal, { timeout })
    }
  }
}

function checkInputs(
  given: Readonly<Record<string, unknown>> | undefined,
  { name, inputs = {} }: { readonly name: string; readonly inputs?: Readonly<Record<string, DataSchema>> | undefined },
): void {
  const problems = Object.entries(inputs).flatMap(([key, schema]) =>
    dataProblems(schema, given?.[key]).map((problem) => `${key}: ${problem}`),
  )
  if (problems.length > 0) throw new Error(`${name}: the inputs of its plan do not fit: ${problems.join('; ')}`)
}

function spanOf(value: unknown): Span {
  if (isSpan(value)) return value
  throw new Error(`sleep: ${JSON.stringify(value)} is no length of time. It looks like 90 seconds, 1 hour or 2 days`)
}

function timeOf(value: unknown): number {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isFinite(time)) return time
  throw new Error(`sleep until: ${JSON.stringify(value)} is no date and time, such as 2026-12-24T08:00:00Z`)
}

type Written = Extract<ControlledAction, { do: 'step' }>['step']

function filledStep({ title, input, ...step }: Written, kind: string, scope: Scope): Written {
  const given = input && { input: textsOfKind(kind, filled(input, scope)) }
  return { ...step, ...given, title: textOf(filled(title, scope)) }
}

/** `undefined` if nobody answers in time. */
async function asked(
  run: Run,
  text: string,
  { options, timeout, mayAnswer }: Pick<Extract<ControlledAction, { do: 'ask' }>, 'options' | 'timeout' | 'mayAnswer'>,
): Promise<string | undefined> {
  // The log masks secrets in the question, and on the next pass it has to be the same one.
  const question = redactSecrets(text)
  const answers = { ...(options && { options }), ...(mayAnswer && { mayAnswer }) }
  return timeout === undefined ? run.ask(question, answers) : run.ask(question, { ...answers, timeout })
}

/** The question is asked here and not in a plan of its own, so that a person finds it where the plan waits. */
async function approved(run: Run, { title, input }: Pick<NewStep, 'title' | 'input'>): Promise<string> {
  const { text = title, allowed, declines, deadlineMs, default: otherwise } = approvalInput.parse(input ?? {})
  const answer = (await asked(run, text, { options: allowed, timeout: deadlineMs })) ?? otherwise
  if (answer === undefined) throw new Error(`nobody answered in time: ${text}`)
  if (declines.includes(answer)) throw new Error(`the answer was ${answer}: ${text}`)
  return answer
}

/** An agent sees the results of the steps before it, as it does in a plan. */
function earlier(needs: ControlledStep['needs'], { steps }: Scope): Readonly<Record<string, unknown>> {
  const known = (steps ?? {}) as Readonly<Record<string, { readonly output: unknown }>>
  if (needs.length === 0) return {}
  return { results: Object.fromEntries(needs.map(({ key }) => [key, known[key]?.output ?? null])) }
}

function outputsOf(plan: Pick<NewPlan, 'steps'>, results: Awaited<ReturnType<Run['plan']>>): unknown {
  const outputs = plan.steps.map(({ key, kind = 'agent' }) => [key, endOf(kind, results[key]).output] as const)
  return Object.fromEntries(outputs)
}

/** How a step ended, as references see it, whether it was controlled or not. */
export function endOf(kind: string, result: Readonly<Record<string, unknown>> | undefined): ControlledEnd {
  const output = stepOutput(kind, result)
  if (kind !== controlKindName) return { output, skipped: result === undefined }
  const end = output as Partial<ControlledEnd> | null
  return { output: end?.output ?? null, skipped: end?.skipped ?? true }
}
