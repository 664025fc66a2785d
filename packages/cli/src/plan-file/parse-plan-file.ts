/** Parses a plan file; refuses with one error that names every problem by file, line and step. */
import type { Budget, NewPlan, NewStep } from '@agentm/harness'
import { findCycle } from '@agentm/nodes/store-kit'
import type { z } from 'zod'
import { LocatedYaml } from './located-yaml.ts'
import { inputProblems } from './input-problems.ts'
import { PlanFileError } from './plan-file-error.ts'
import { type OutlinedStep, planFileSchema, type PlanFileStep, planOutlineSchema } from './plan-file-schema.ts'

export interface PlanFile extends Pick<NewPlan, 'input' | 'budget' | 'steps'> {
  readonly goal: string | undefined
}

export interface PlanFileOptions {
  /** For messages. */
  readonly file: string
  /** The step kinds that exist. */
  readonly kinds: readonly string[]
}

export function parsePlanFile(text: string, { file, kinds }: PlanFileOptions): PlanFile {
  const yaml = new LocatedYaml(text, file)
  const parsed = planFileSchema.safeParse(yaml.value)
  const outline = planOutlineSchema.safeParse(yaml.value)
  const problems = outline.success ? problemsIn(outline.data.steps, kinds, yaml) : []
  if (!parsed.success)
    throw new PlanFileError([...parsed.error.issues.flatMap((issue) => described(issue, yaml)), ...problems])
  if (problems.length > 0) throw new PlanFileError(problems)
  const { goal, input, budget, steps } = parsed.data
  return {
    goal,
    ...(input && { input }),
    ...(budget && { budget: budgetOf(budget) }),
    steps: steps.map((step) => newStep(step)),
  }
}

/** Every step kind that the file names; none if its steps cannot be read. */
export function kindsIn(text: string, file: string): readonly string[] {
  const outline = planOutlineSchema.safeParse(new LocatedYaml(text, file).value)
  return outline.success ? [...new Set(outline.data.steps.map(({ kind }) => kind))] : []
}

/** Costs are stored in millionths of a dollar. */
function budgetOf({ maxCost, ...budget }: NonNullable<z.output<typeof planFileSchema>['budget']>): Budget {
  const limits: Budget = budget
  return maxCost === undefined ? limits : { ...limits, maxCostMicros: Math.round(maxCost * 1e6) }
}

type Issue = NonNullable<ReturnType<typeof planFileSchema.safeParse>['error']>['issues'][number]

function described({ code, path, message, ...issue }: Issue, yaml: LocatedYaml): readonly string[] {
  const where = nameOf(path, yaml.value)
  if (code === 'unrecognized_keys' && 'keys' in issue)
    return issue.keys.map((key) => `${yaml.placeOfKey(path, key)} ${where}there is no field "${key}"`)
  const field = path.filter((part) => typeof part === 'string' && part !== 'steps').join('.')
  return [`${yaml.place(path)} ${where}${field === '' ? '' : `${field}: `}${message}`]
}

/** `step "build": `, or by its place in the list where it has no key. */
function nameOf([list, index]: readonly PropertyKey[], value: unknown): string {
  if (list !== 'steps' || typeof index !== 'number') return ''
  const step: unknown = (value as { readonly steps: readonly unknown[] }).steps[index]
  const key = typeof step === 'object' && step !== null && 'key' in step ? step.key : undefined
  return typeof key === 'string' ? `step "${key}": ` : `step ${index + 1}: `
}

function problemsIn(steps: readonly OutlinedStep[], kinds: readonly string[], yaml: LocatedYaml): readonly string[] {
  const known = new Map(steps.map(({ key }, i) => [key, i]))
  const problems = steps.flatMap((step, i) => [
    ...(known.get(step.key) === i ? [] : [`${yaml.place(['steps', i, 'key'])} two steps have the key "${step.key}"`]),
    ...inputProblems(step, { yaml, at: ['steps', i] }),
    ...(kinds.includes(step.kind) ? [] : [unknownKind(step, kinds, yaml.place(['steps', i, 'kind']))]),
    ...dependencies(step).flatMap((other, n) =>
      known.has(other)
        ? []
        : [unknownDependency(step, other, yaml.place(['steps', i, 'dependsOn', n]), [...known.keys()])],
    ),
  ])
  return [...problems, ...circlesIn(steps, known, yaml)]
}

function unknownKind({ key, kind }: OutlinedStep, kinds: readonly string[], place: string): string {
  return `${place} step "${key}": there is no kind "${kind}". Choose from: ${kinds.join(', ')}. If a plugin adds the kind, install its package beside agentm.`
}

function unknownDependency({ key }: OutlinedStep, other: string, place: string, keys: readonly string[]): string {
  return `${place} step "${key}": depends on "${other}", but this plan has no such step. Its steps are: ${keys.join(', ')}.`
}

function circlesIn(
  steps: readonly OutlinedStep[],
  known: ReadonlyMap<string, number>,
  yaml: LocatedYaml,
): readonly string[] {
  const targets = new Map(steps.map((step) => [step.key, dependencies(step)]))
  const circle = findCycle(targets.keys(), (key) => targets.get(key) ?? [])
  const [first] = circle ?? []
  if (circle === undefined || first === undefined) return []
  const place = yaml.place(['steps', known.get(first) ?? 0, 'dependsOn'])
  return [`${place} step "${first}": depends on itself: ${[...circle, first].join(' → ')}.`]
}

function dependencies({ dependsOn = [] }: Pick<PlanFileStep, 'dependsOn'>): readonly string[] {
  return typeof dependsOn === 'string' ? [dependsOn] : dependsOn
}

function newStep(step: PlanFileStep): NewStep {
  const { key, title = key, dependsOn: _, retry, ...rest } = step
  return {
    ...rest,
    key,
    title,
    dependsOn: dependencies(step),
    ...(retry && { retry: retry as NonNullable<NewStep['retry']> }),
  }
}
