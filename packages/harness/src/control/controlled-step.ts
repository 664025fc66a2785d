/** A step of a plan that is repeated, skipped or awaited, as it is kept in the input of a step of kind `function:control`. */
import { z } from 'zod'
import type { NewCheck } from '../checks/check.ts'
import type { NewStep } from '../new-plan.ts'
import type { Budget } from '../plan.ts'
import { controlKindName } from './pure/control-kind-name.ts'
import { type DataSchema, dataSchema } from './data-schema.ts'
import { type Span, spanMs } from '../functions/pure/span.ts'

const text = z.string().min(1)
const span = z.custom<Span>(
  (value) => isSpan(value),
  'is no length of time. Write it like 90 seconds, 1 hour or 2 days, or in milliseconds',
)

const schema: z.ZodType<DataSchema> = dataSchema

/** Its value is known when the step runs. */
const reference = z.string().includes('${{')

const actionSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('step'), step: z.custom<Omit<NewStep, 'key' | 'dependsOn'>>(isFields) }),
  z.object({
    do: z.literal('plan'),
    goal: text,
    steps: z.custom<readonly NewStep[]>((value) => Array.isArray(value) && value.every(isFields)),
    input: z.record(z.string(), z.unknown()).optional(),
    budget: z.custom<Budget>(isFields).optional(),
    /** What the inputs have to be. They are known only when references are filled. */
    inputs: z.record(z.string(), schema).optional(),
    check: z.custom<NewCheck>(isFields).optional(),
  }),
  z.object({ do: z.literal('sleep'), for: z.union([span, reference]) }),
  z.object({ do: z.literal('sleep until'), until: z.union([z.number(), reference]) }),
  z.object({
    do: z.literal('ask'),
    question: text,
    options: z.array(text).min(1).optional(),
    mayAnswer: z.literal('anyone').optional(),
    timeout: span.optional(),
  }),
  z.object({ do: z.literal('signal'), name: text, timeout: span.optional() }),
])

export const controlledStepSchema = z.object({
  key: text,
  /** The steps it depends on, and their kinds, which say how their results are read. */
  needs: z.array(z.object({ key: text, kind: text })),
  /** A list, or an expression that gives one. */
  foreach: z.union([text, z.array(z.unknown())]).optional(),
  atOnce: z.int().min(1).optional(),
  when: text.optional(),
  until: text.optional(),
  every: span.optional(),
  atMost: z.int().min(1).optional(),
  /** What each output has to be. */
  output: schema.optional(),
  action: actionSchema,
})

/** Validated input of a controlled step. */
export type ControlledStep = z.output<typeof controlledStepSchema>

/** What the step does, once or for each item. */
export type ControlledAction = ControlledStep['action']

/** Every kind that runs because of a step: its own, and those of the steps inside it. */
export function kindsInside({ kind = 'agent', input }: Pick<NewStep, 'kind' | 'input'>): readonly string[] {
  if (kind !== controlKindName) return [kind]
  const action = controlledStepSchema.safeParse(input).data?.action
  if (action?.do === 'step') return [action.step.kind ?? 'agent']
  return action?.do === 'plan' ? action.steps.flatMap((step) => kindsInside(step)) : []
}

/** Every check that must pass because of a step: its own, and those of the steps inside it. */
export function checksInside({ kind, input, check }: Pick<NewStep, 'kind' | 'input' | 'check'>): readonly NewCheck[] {
  const own = check === undefined ? [] : [check]
  if (kind !== controlKindName) return own
  const action = controlledStepSchema.safeParse(input).data?.action
  if (action?.do === 'step') return [...own, ...checksInside(action.step)]
  if (action?.do !== 'plan') return own
  return [...own, ...(action.check ? [action.check] : []), ...action.steps.flatMap((step) => checksInside(step))]
}

/** Its key and the signal that it waits for; `undefined` if it waits for none. */
export function signalOf({
  kind,
  input,
}: Pick<NewStep, 'kind' | 'input'>): { readonly key: string; readonly name: string } | undefined {
  const step = kind === controlKindName ? controlledStepSchema.safeParse(input).data : undefined
  return step?.action.do === 'signal' ? { key: step.key, name: step.action.name } : undefined
}

/** The step with every step inside it changed, such as to the directory where commands run. */
export function changedInside<S extends Pick<NewStep, 'kind' | 'input'>>(
  step: S,
  change: <T extends Pick<NewStep, 'kind' | 'input'>>(inner: T) => T,
): S {
  if (step.kind !== controlKindName) return change(step)
  const controlled = controlledStepSchema.parse(step.input)
  return { ...step, input: { ...controlled, action: changedAction(controlled.action, change) } }
}

function changedAction(
  action: ControlledAction,
  change: <T extends Pick<NewStep, 'kind' | 'input'>>(inner: T) => T,
): ControlledAction {
  if (action.do === 'step') return { ...action, step: change(action.step) }
  if (action.do !== 'plan') return action
  return { ...action, steps: action.steps.map((step) => changedInside(step, change)) }
}

function isFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether somebody would understand it as a length of time. */
export function isSpan(value: unknown): value is Span {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  try {
    spanMs(value as Span)
    return true
  } catch {
    return false
  }
}
