/** What is wrong with the words that control a step: `foreach`, `when`, `until`, and the references in its texts. */
import { type Expression, expressionsIn, parseExpression, referencesIn, templatesIn } from '@agentm/harness/control'
import type { LocatedYaml } from './located-yaml.ts'
import { actions, type PlanFileStep } from './plan-file-schema.ts'

type Path = readonly PropertyKey[]

/** A text of a step that holds expressions, and what they may read. */
interface Written {
  readonly path: Path
  readonly text: string
  readonly isTemplate: boolean
  readonly roots: readonly string[]
}

const always = ['steps', 'input']
const ofItems = ['item', 'index']
const ofTries = ['output', 'tries', 'failed']

/** Whether the step needs more than its kind: any of the words, or a reference in one of its texts. */
export function isControlled(step: PlanFileStep): boolean {
  return writtenIn(step).length > 0 || step.foreach !== undefined || actions.some((word) => step[word] !== undefined)
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
}

export function controlProblems(step: PlanFileStep, { yaml, at, keys }: ControlContext): readonly string[] {
  const say = (path: Path, what: string) =>
    `${yaml.place([...at, ...path])} step "${step.key}": ${path.join('.')}: ${what}`
  return [
    ...misplaced(step).map(({ word, what }) => `${yaml.placeOfKey(at, word)} step "${step.key}": ${word}: ${what}`),
    ...writtenIn(step).flatMap((written) => {
      const expressions = parsed(written)
      if (typeof expressions === 'string') return [say(written.path, expressions)]
      return expressions.flatMap((expression) =>
        unknownReferences(expression, { roots: written.roots, keys, own: step.key }).map((what) =>
          say(written.path, what),
        ),
      )
    }),
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
  return [...twice, ...belongs, ...kindless]
}

const companions: Readonly<Record<string, { readonly to: readonly string[]; readonly cure: string }>> = {
  atOnce: { to: ['foreach'], cure: 'belongs to foreach, and this step has none' },
  every: { to: ['until'], cure: 'belongs to until, and this step has none' },
  atMost: { to: ['until'], cure: 'belongs to until, and this step has none' },
  with: { to: ['plan'], cure: 'belongs to plan, and this step has none. A step with a kind has an input' },
  options: { to: ['ask'], cure: 'belongs to ask, and this step has none' },
  timeout: { to: ['ask', 'signal'], cure: 'belongs to ask and signal. For a step with a kind, write timeoutMs' },
}

const onlyForKinds = [
  'input',
  'assignedAgent',
  'nature',
  'onUnknown',
  'timeoutMs',
  'retry',
  'limit',
  'rate',
  'priority',
  'startAt',
  'delay',
  'expiresIn',
] as const

function writtenIn(step: PlanFileStep): readonly Written[] {
  const roots = step.foreach === undefined ? always : [...always, ...ofItems]
  const expression = (word: 'foreach' | 'when' | 'until', may: readonly string[]): readonly Written[] => {
    const text = step[word]
    return typeof text === 'string' ? [{ path: [word], text, isTemplate: false, roots: may }] : []
  }
  const templates = (word: keyof PlanFileStep, may: readonly string[]): readonly Written[] =>
    templatesIn(step[word]).map(({ path, text }) => ({ path: [word, ...path], text, isTemplate: true, roots: may }))
  return [
    ...expression('foreach', always),
    ...(Array.isArray(step.foreach) ? templates('foreach', always) : []),
    ...expression('when', roots),
    ...expression('until', [...roots, ...ofTries]),
    ...(['title', 'input', 'with', 'ask'] as const).flatMap((word) => templates(word, roots)),
  ]
}

/** What is wrong with it, or its expressions. */
function parsed({ text, isTemplate }: Written): readonly Expression[] | string {
  try {
    return isTemplate ? expressionsIn(text) : [parseExpression(text)]
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const cure = isTemplate ? `. To write the signs themselves: \${{ "\${{" }}` : ''
    return `${isTemplate ? 'the reference' : 'the expression'} cannot be read: ${error.message}${cure}`
  }
}

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
