/** Parses a plan file; refuses with one error that names every problem by file, line and step. */
import type { Budget, NewPlan } from '@agentm/harness'
import { findCycle } from '@agentm/nodes/store-kit'
import type { z } from 'zod'
import { LocatedYaml } from './located-yaml.ts'
import { controlProblems, stepsRead } from './control-problems.ts'
import { inputProblems } from './input-problems.ts'
import { newStep } from './new-step.ts'
import { PlanFileError } from './plan-file-error.ts'
import {
  kindOf,
  type OutlinedStep,
  type PlanFileSchedule,
  planFileSchema,
  type PlanFileStep,
  planOutlineSchema,
} from './plan-file-schema.ts'
import { subPlanFile } from './sub-plan-file.ts'

export interface PlanFile extends Pick<NewPlan, 'input' | 'budget' | 'steps'> {
  readonly goal: string | undefined
  readonly trees?: NonNullable<z.output<typeof planFileSchema>['trees']>
  readonly schedule?: PlanFileSchedule
}

export interface PlanFileOptions {
  /** For messages. */
  readonly file: string
  /** The step kinds that exist. */
  readonly kinds: readonly string[]
  /** The texts of the plan files that this one runs, and that those run, by file (default: none). An error says why one cannot be read. */
  readonly texts?: ReadonlyMap<string, string | Error>
}

interface Place extends Required<PlanFileOptions> {
  /** The files that run this one, and this one. */
  readonly chain: readonly string[]
}

export function parsePlanFile(text: string, { texts = new Map(), ...options }: PlanFileOptions): PlanFile {
  return parsedFile(text, { ...options, texts, chain: [options.file] })
}

function parsedFile(text: string, place: Place): PlanFile {
  const { file, kinds } = place
  const yaml = new LocatedYaml(text, file)
  const parsed = planFileSchema.safeParse(yaml.value)
  const outline = planOutlineSchema.safeParse(yaml.value)
  const written = parsed.data?.steps
  const problems = outline.success ? problemsIn(written ?? outline.data.steps, kinds, yaml) : []
  if (!parsed.success || written === undefined)
    throw new PlanFileError([...(parsed.error?.issues ?? []).flatMap((issue) => described(issue, yaml)), ...problems])
  const subPlans = new Map<string, PlanFile>()
  const keys = written.map(({ key }) => key)
  problems.push(...written.flatMap((step, i) => controlProblems(step, { yaml, at: ['steps', i], keys })))
  problems.push(...written.flatMap((step, i) => addSubPlan(step, { place, yaml, at: ['steps', i], subPlans })))
  problems.push(...circlesIn(written, (step) => [...dependencies(step), ...stepsRead(step)], yaml))
  if (problems.length > 0) throw new PlanFileError([...new Set(problems)])
  const { goal, input, budget, trees, schedule } = parsed.data
  const kindsByKey = new Map(written.map((step) => [step.key, kindOfNew(step, subPlans)]))
  return {
    goal,
    ...(input && { input }),
    ...(budget && { budget: budgetOf(budget) }),
    ...(trees && { trees }),
    ...(schedule && { schedule }),
    steps: written.map((step) =>
      newStep(step, { dependsOn: dependencies(step), kinds: kindsByKey, subPlan: subPlans.get(step.key) }),
    ),
  }
}

function kindOfNew(step: PlanFileStep, subPlans: ReadonlyMap<string, PlanFile>): string {
  return newStep(step, { dependsOn: [], kinds: new Map(), subPlan: subPlans.get(step.key) }).kind ?? 'agent'
}

interface SubPlanPlace {
  readonly place: Place
  readonly yaml: LocatedYaml
  readonly at: readonly PropertyKey[]
  readonly subPlans: Map<string, PlanFile>
}

/** Reads the plan that the step runs. Its problems are named with their own file. */
function addSubPlan({ key, plan }: PlanFileStep, { place, yaml, at, subPlans }: SubPlanPlace): readonly string[] {
  if (plan === undefined) return []
  const { file: from, texts, chain } = place
  const file = subPlanFile(from, plan)
  const text = texts.get(file)
  const say = (what: string) => [`${yaml.place([...at, 'plan'])} step "${key}": plan: ${what}`]
  if (chain.includes(file)) return say(`the plan would run itself without end: ${[...chain, file].join(' → ')}`)
  if (text === undefined || text instanceof Error)
    return say(
      `${file} cannot be read${text === undefined ? '' : ` (${text.message})`}. Name a plan file, relative to this one`,
    )
  try {
    subPlans.set(key, parsedFile(text, { ...place, file, chain: [...chain, file] }))
    return []
  } catch (error) {
    if (!(error instanceof PlanFileError)) throw error
    return error.problems
  }
}

/** Every step kind and every other plan file that the file names; none if its steps cannot be read. */
export function namedIn(
  text: string,
  file: string,
): { readonly kinds: readonly string[]; readonly plans: readonly string[] } {
  const { data } = planOutlineSchema.safeParse(new LocatedYaml(text, file).value)
  const steps = data?.steps ?? []
  const plans = steps.flatMap(({ plan }) => (typeof plan === 'string' ? subPlanFile(file, plan) : []))
  return { kinds: [...new Set(steps.flatMap((step) => kindOf(step) ?? []))], plans: [...new Set(plans)] }
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

function problemsIn(steps: readonly OutlinedStep[], kinds: readonly string[], yaml: LocatedYaml): string[] {
  const known = new Map(steps.map(({ key }, i) => [key, i]))
  const problems = steps.flatMap((step, i) => [
    ...(known.get(step.key) === i ? [] : [`${yaml.place(['steps', i, 'key'])} two steps have the key "${step.key}"`]),
    ...inputProblems(step, { yaml, at: ['steps', i] }),
    ...unknownKind(step, kinds, yaml.place(['steps', i, 'kind'])),
    ...dependencies(step).flatMap((other, n) =>
      known.has(other)
        ? []
        : [unknownDependency(step, other, yaml.place(['steps', i, 'dependsOn', n]), [...known.keys()])],
    ),
  ])
  return [...problems, ...circlesIn(steps, dependencies, yaml)]
}

function unknownKind(step: OutlinedStep, kinds: readonly string[], place: string): readonly string[] {
  const { key } = step
  const kind = kindOf(step)
  if (kind === undefined || kinds.includes(kind)) return []
  return [
    `${place} step "${key}": there is no kind "${kind}". Choose from: ${kinds.join(', ')}. If a plugin adds the kind, install its package beside agentm.`,
  ]
}

function unknownDependency({ key }: OutlinedStep, other: string, place: string, keys: readonly string[]): string {
  return `${place} step "${key}": depends on "${other}", but this plan has no such step. Its steps are: ${keys.join(', ')}.`
}

/** Dependencies on steps that are not there are another problem. */
function circlesIn<S extends OutlinedStep>(
  steps: readonly S[],
  dependenciesOf: (step: S) => readonly string[],
  yaml: LocatedYaml,
): readonly string[] {
  const targets = new Map(steps.map((step) => [step.key, dependenciesOf(step)]))
  const circle = findCycle(targets.keys(), (key) => targets.get(key) ?? [])
  const [first] = circle ?? []
  if (circle === undefined || first === undefined) return []
  const place = yaml.place(['steps', steps.findLastIndex(({ key }) => key === first), 'dependsOn'])
  return [`${place} step "${first}": depends on itself: ${[...circle, first].join(' → ')}.`]
}

function dependencies({ dependsOn = [] }: Pick<PlanFileStep, 'dependsOn'>): readonly string[] {
  return typeof dependsOn === 'string' ? [dependsOn] : dependsOn
}
