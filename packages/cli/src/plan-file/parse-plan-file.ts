/** Parses a plan file; refuses with one error that names every problem by file, line and step. */
import type { Budget, NewPlan } from '@agentm/harness'
import {
  type DeclaredInputs,
  fieldOfType,
  type InputProblem,
  inputValues,
  templatesIn,
  type ValueType,
} from '@agentm/harness/control'
import { findCycle } from '@agentm/nodes/store-kit'
import type { z } from 'zod'
import { LocatedYaml } from './located-yaml.ts'
import { controlProblems, isControlled, stepsRead } from './control-problems.ts'
import type { GivenFile } from './given-files.ts'
import { inputProblems } from './input-problems.ts'
import { newStep } from './new-step.ts'
import { stepType } from './output-types.ts'
import { declaredInputs, defaultProblems, inputTypesOf } from './plan-inputs.ts'
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

export interface PlanFile extends Pick<NewPlan, 'input' | 'inputs' | 'budget' | 'check' | 'steps'> {
  readonly goal: string | undefined
  readonly trees?: NonNullable<z.output<typeof planFileSchema>['trees']>
  readonly schedule?: PlanFileSchedule
}

/** A plan file without the values of its inputs, for the file that runs it. */
export interface CheckedPlanFile extends PlanFile {
  readonly inputs: DeclaredInputs
  /** The types of its inputs and of what its steps give. */
  readonly types: {
    readonly inputs: Readonly<Record<string, ValueType>>
    readonly outputs: Readonly<Record<string, ValueType>>
  }
}

export interface PlanFileOptions {
  /** For messages. */
  readonly file: string
  /** The step kinds that exist. */
  readonly kinds: readonly string[]
  /** The texts of the plan files that this one runs, and that those run, by file (default: none). An error says why one cannot be read. */
  readonly texts?: ReadonlyMap<string, string | Error>
  /** The files that its steps name, and those of the other plan files, by their place (default: none can be read). */
  readonly files?: ReadonlyMap<string, GivenFile>
  /** The values of its inputs, by name. A text is read as JSON where the input is no text. */
  readonly given?: Readonly<Record<string, unknown>>
}

interface Place extends Required<Omit<PlanFileOptions, 'given'>> {
  /** The files that run this one, and this one. */
  readonly chain: readonly string[]
}

export function parsePlanFile(
  text: string,
  { texts = new Map(), files = new Map(), given = {}, ...options }: PlanFileOptions,
): PlanFile {
  const { inputs, types: _, ...plan } = parsedFile(text, { ...options, texts, files, chain: [options.file] })
  const { values, problems } = inputValues(inputs, given)
  if (problems.length > 0) throw new PlanFileError(locatedInputs(problems, new LocatedYaml(text, options.file)))
  return Object.keys(values).length === 0 ? plan : { ...plan, inputs, input: values }
}

function locatedInputs(problems: readonly InputProblem[], yaml: LocatedYaml): readonly string[] {
  return problems.map(({ name, what }) => `${yaml.placeOfKey(['inputs'], name)} input "${name}": ${what}`)
}

function parsedFile(text: string, place: Place): CheckedPlanFile {
  const { file, kinds } = place
  const yaml = new LocatedYaml(text, file)
  const parsed = planFileSchema.safeParse(yaml.value)
  const outline = planOutlineSchema.safeParse(yaml.value)
  const written = parsed.data?.steps
  const problems = outline.success ? problemsIn(written ?? outline.data.steps, kinds, yaml) : []
  if (!parsed.success || written === undefined)
    throw new PlanFileError([...(parsed.error?.issues ?? []).flatMap((issue) => described(issue, yaml)), ...problems])
  problems.push(...written.flatMap((step, i) => fileProblems(step, { place, yaml, at: ['steps', i] })))
  const subPlans = new Map<string, CheckedPlanFile>()
  const inputs = declaredInputs(parsed.data.inputs)
  problems.push(...locatedInputs(defaultProblems(inputs), yaml))
  problems.push(...written.flatMap((step, i) => addSubPlan(step, { place, yaml, at: ['steps', i], subPlans })))
  const { scope, ...types } = typesOf(written, { inputs, subPlans })
  problems.push(
    ...written.flatMap((step, i) => {
      const context = { yaml, at: ['steps', i], keys: written.map(({ key }) => key) }
      return controlProblems(step, { ...context, types: { ...surroundings(step, subPlans), scope } })
    }),
  )
  problems.push(...circlesIn(written, (step) => [...dependencies(step), ...stepsRead(step)], yaml))
  if (problems.length > 0) throw new PlanFileError([...new Set(problems)])
  const { goal, budget, trees, check, schedule } = parsed.data
  const kindsByKey = new Map(written.map((step) => [step.key, kindOfNew(step, subPlans)]))
  return {
    goal,
    inputs,
    types,
    ...(budget && { budget: budgetOf(budget) }),
    ...(trees && { trees }),
    ...(check && { check }),
    ...(schedule && { schedule }),
    steps: written.map((step) =>
      newStep(step, {
        dependsOn: dependencies(step),
        kinds: kindsByKey,
        subPlan: subPlans.get(step.key),
        parts: filesIn(step).flatMap((name) => {
          const found = place.files.get(subPlanFile(file, name))
          return found === undefined || 'problem' in found ? [] : [found]
        }),
      }),
    ),
  }
}

function typesOf(
  steps: readonly PlanFileStep[],
  { inputs, subPlans }: { readonly inputs: DeclaredInputs; readonly subPlans: ReadonlyMap<string, CheckedPlanFile> },
) {
  const fields = Object.fromEntries(steps.map((step) => [step.key, stepType(step, surroundings(step, subPlans))]))
  const outputs = Object.entries(fields).map(([key, type]) => [key, fieldOfType(type, 'output')] as const)
  const inputTypes = inputTypesOf(inputs)
  const scope = { steps: { is: 'object', fields }, inputs: { is: 'object', fields: inputTypes } } as const
  return { scope, inputs: inputTypes, outputs: Object.fromEntries(outputs) as Readonly<Record<string, ValueType>> }
}

function surroundings(step: PlanFileStep, subPlans: ReadonlyMap<string, CheckedPlanFile>) {
  return { isControlled: isControlled(step), subPlan: subPlans.get(step.key) }
}

function kindOfNew(step: PlanFileStep, subPlans: ReadonlyMap<string, CheckedPlanFile>): string {
  return newStep(step, { dependsOn: [], kinds: new Map(), subPlan: subPlans.get(step.key), parts: [] }).kind ?? 'agent'
}

interface SubPlanPlace {
  readonly place: Place
  readonly yaml: LocatedYaml
  readonly at: readonly PropertyKey[]
  readonly subPlans: Map<string, CheckedPlanFile>
}

/** Reads the plan that the step runs. Its problems are named with their own file. */
function addSubPlan(
  { key, plan, with: given = {} }: PlanFileStep,
  { place, yaml, at, subPlans }: SubPlanPlace,
): readonly string[] {
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
    const subPlan = parsedFile(text, { ...place, file, chain: [...chain, file] })
    const { values, problems } = inputValues(subPlan.inputs, given)
    subPlans.set(key, { ...subPlan, input: values })
    return problems
      .filter(({ name }) => templatesIn(given[name]).length === 0 || !Object.hasOwn(subPlan.inputs, name))
      .map(({ name, what }) => {
        const isGiven = Object.hasOwn(given, name)
        const where = isGiven ? yaml.placeOfKey([...at, 'with'], name) : yaml.place([...at, 'plan'])
        const cure = isGiven ? what : `it is required by ${file}. Write with: { ${name}: … }`
        return `${where} step "${key}": with.${name}: ${cure}`
      })
  } catch (error) {
    if (!(error instanceof PlanFileError)) throw error
    return error.problems
  }
}

/** Every step kind, every other plan file and every file for agents that the file names; none if its steps cannot be read. */
export function namedIn(
  text: string,
  file: string,
): { readonly kinds: readonly string[]; readonly plans: readonly string[]; readonly files: readonly string[] } {
  const { data } = planOutlineSchema.safeParse(new LocatedYaml(text, file).value)
  const steps = data?.steps ?? []
  const plans = steps.flatMap(({ plan }) => (typeof plan === 'string' ? subPlanFile(file, plan) : []))
  const files = steps.flatMap((step) => filesIn(step).map((name) => subPlanFile(file, name)))
  return {
    kinds: [...new Set(steps.flatMap((step) => kindOf(step) ?? []))],
    plans: [...new Set(plans)],
    files: [...new Set(files)],
  }
}

function filesIn({ files = [] }: Pick<OutlinedStep, 'files'>): readonly string[] {
  return typeof files === 'string' ? [files] : files
}

function fileProblems(
  step: PlanFileStep,
  { place, yaml, at }: { readonly place: Place; readonly yaml: LocatedYaml; readonly at: readonly PropertyKey[] },
): readonly string[] {
  const names = filesIn(step)
  const say = (what: string, n: number) => `${yaml.place([...at, 'files', n])} step "${step.key}": files: ${what}`
  if (names.length > 0 && kindOf(step) !== 'agent') return [say('only a step of kind agent can be shown files', 0)]
  if (names.length > 0 && step.input?.['files'] !== undefined)
    return [say('its input has a field of that name, too. Rename that one', 0)]
  return names.flatMap((name, n) => {
    const found = place.files.get(subPlanFile(place.file, name))
    if (found === undefined) return [say(`${name} cannot be read here. Create the plan from a file`, n)]
    return 'problem' in found ? [say(found.problem, n)] : []
  })
}

/** Costs are stored in millionths of a dollar. */
function budgetOf({ maxCost, ...budget }: NonNullable<z.output<typeof planFileSchema>['budget']>): Budget {
  const limits: Budget = budget
  return maxCost === undefined ? limits : { ...limits, maxCostMicros: Math.round(maxCost * 1e6) }
}

type Issue = NonNullable<ReturnType<typeof planFileSchema.safeParse>['error']>['issues'][number]

function described({ code, path, message, ...issue }: Issue, yaml: LocatedYaml): readonly string[] {
  const inner = code === 'invalid_union' && 'errors' in issue ? closest(issue.errors as readonly Issue[][]) : undefined
  if (inner !== undefined) return inner.flatMap((each) => described({ ...each, path: [...path, ...each.path] }, yaml))
  const where = nameOf(path, yaml.value)
  if (code === 'unrecognized_keys' && 'keys' in issue)
    return issue.keys.map((key) => `${yaml.placeOfKey(path, key)} ${where}there is no field "${key}"`)
  const field = path.filter((part) => typeof part === 'string' && part !== 'steps').join('.')
  return [`${yaml.place(path)} ${where}${field === '' ? '' : `${field}: `}${message}`]
}

/** The problems of the one form that was probably meant, because the value at least has its type. */
function closest(forms: readonly Issue[][]): Issue[] | undefined {
  return forms.find((issues) => issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0))
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
