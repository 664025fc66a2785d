/** What is wrong with the words that control a step: `foreach`, `when`, `until`, and the references in its texts. */
import { type Expression, referencesIn } from '@agentm/harness/control'
import type { LocatedYaml } from './located-yaml.ts'
import { actions, type PlanFileStep } from './plan-file-schema.ts'
import { typeProblems, type TypeSurroundings } from './type-problems.ts'
import { parsed, writtenIn } from './written-expressions.ts'

type Path = readonly PropertyKey[]

/** Whether the step needs more than its kind: any of the words, or a reference in one of its texts. */
export function isControlled(step: PlanFileStep): boolean {
  const words = ['foreach', 'output', ...actions] as const
  return writtenIn(step).length > 0 || words.some((word) => step[word] !== undefined)
}

/** The keys of the steps that it reads. They are done before it begins. */
export function stepsRead(step: PlanFileStep): readonly string[] {
  const keys = writtenIn(step).flatMap((written) => {
    const expressions = parsed(written)
    if (typeof expressions === 'string') return []
    return expressions
      .flatMap((expression) => referencesIn(expression))
      .flatMap(([root, key]) => (root === 'steps' ? [`${key}`] : []))
  })
  return [...new Set(keys)]
}

export interface ControlContext {
  readonly yaml: LocatedYaml
  readonly at: Path
  /** The keys of the steps of the plan. */
  readonly keys: readonly string[]
  readonly types: TypeSurroundings
}

export function controlProblems(step: PlanFileStep, { yaml, at, keys, types }: ControlContext): readonly string[] {
  const say = (path: Path, what: string) =>
    `${yaml.place([...at, ...path])} step "${step.key}": ${path.join('.')}: ${what}`
  const unread = writtenIn(step).flatMap((written) => {
    const expressions = parsed(written)
    if (typeof expressions === 'string') return [say(written.path, expressions)]
    return expressions.flatMap((expression) =>
      unknownReferences(expression, { roots: written.roots, keys, own: step.key }).map((what) =>
        say(written.path, what),
      ),
    )
  })
  return [
    ...misplaced(step).map(({ word, what }) => `${yaml.placeOfKey(at, word)} step "${step.key}": ${word}: ${what}`),
    ...(unread.length > 0 ? unread : typeProblems(step, types).map(({ path, what }) => say(path, what))),
  ]
}

interface Misplaced {
  readonly word: string
  readonly what: string
}

function misplaced(step: PlanFileStep): readonly Misplaced[] {
  const named = actions.filter((word) => step[word] !== undefined)
  const [action, second] = step.kind === undefined ? named : ['kind', ...named]
  const twice =
    second === undefined
      ? []
      : [{ word: second, what: `a step does one thing, and this one has ${action}, too. Make it two steps` }]
  const belongs = Object.entries(companions).flatMap(([word, { to, cure }]) =>
    word in step && !to.some((other) => other in step) ? [{ word, what: cure }] : [],
  )
  const ofKinds = named.length === 0 ? [] : onlyForKinds.filter((word) => step[word] !== undefined)
  const kindless = ofKinds.map((word) => ({
    word,
    what: `belongs to a step that has a kind, and this one has ${named[0]}`,
  }))
  return [...twice, ...belongs, ...kindless, ...without(step, named)]
}

/** Words that some actions have no use for. */
function without(step: PlanFileStep, [action]: readonly (typeof actions)[number][]): readonly Misplaced[] {
  const timed = action === 'sleep' && step.timeout !== undefined
  const typed = action !== undefined && action !== 'signal' && step.output !== undefined
  return [
    ...(timed ? [{ word: 'timeout', what: 'sleep waits as long as it says, so it has no timeout' }] : []),
    ...(typed
      ? [{ word: 'output', what: `belongs to signal and to a step that has a kind, and this one has ${action}` }]
      : []),
  ]
}

const companions: Readonly<Record<string, { readonly to: readonly string[]; readonly cure: string }>> = {
  atOnce: { to: ['foreach'], cure: 'belongs to foreach, and this step has none' },
  every: { to: ['until'], cure: 'belongs to until, and this step has none' },
  atMost: { to: ['until'], cure: 'belongs to until, and this step has none' },
  with: { to: ['plan'], cure: 'belongs to plan, and this step has none. A step with a kind has an input' },
  options: { to: ['ask'], cure: 'belongs to ask, and this step has none' },
  mayAnswer: { to: ['ask'], cure: 'belongs to ask, and this step has none' },
}

const onlyForKinds = [
  'input',
  'assignedAgent',
  'nature',
  'onUnknown',
  'retry',
  'limit',
  'rate',
  'priority',
  'startAt',
  'delay',
  'expiresIn',
] as const

interface Known {
  readonly roots: readonly string[]
  readonly keys: readonly string[]
  /** The key of the step itself. */
  readonly own: string
}

function unknownReferences(expression: Expression, { roots, keys, own }: Known): readonly string[] {
  return referencesIn(expression).flatMap(([root = '', key]) => {
    if (!roots.includes(`${root}`)) return [`there is no ${root} here. It can read: ${roots.join(', ')}`]
    if (root !== 'steps') return []
    if (key === undefined) return ['steps is followed by the key of a step, as in steps.build.output']
    if (key === own) return ['a step cannot read itself. In until, its result is called output']
    return keys.includes(`${key}`) ? [] : [`this plan has no step "${key}". Its steps are: ${keys.join(', ')}`]
  })
}
