/** Checks the steps that a model proposes for a goal: unique keys, existing dependencies, no cycle. */
import { findCycle } from '@agentm/nodes/store-kit'

export interface ProposedStep {
  /** Its name among the steps of this goal. */
  readonly key: string
  readonly title: string
  readonly goal: string
  readonly dependsOn: readonly string[]
  /** The name of a suitable role; may be empty. */
  readonly roleHint: string
}

export const mostSteps = 40

/** The first problem; `undefined` if there is none. */
export function decompositionProblem(steps: readonly ProposedStep[]): string | undefined {
  if (steps.length === 0) return 'there are no steps'
  if (steps.length > mostSteps) return `there are ${steps.length} steps, and at most ${mostSteps} are possible`
  return stepProblem(steps) ?? edgeProblem(steps) ?? circleProblem(steps)
}

/** Trimmed, with blank and repeated dependencies left out. Of steps without a problem. */
export function tidySteps(steps: readonly ProposedStep[]): readonly ProposedStep[] {
  return steps.map(({ key, title, goal, dependsOn, roleHint }) => ({
    key: key.trim(),
    title: title.trim(),
    goal: goal.trim(),
    dependsOn: named(dependsOn),
    roleHint: roleHint.trim(),
  }))
}

/** The goal as a single step, for use when it cannot be divided. */
export function singleStep(goal: string): ProposedStep {
  return { key: 's1', title: titleOf(goal), goal: goal.trim(), dependsOn: [], roleHint: '' }
}

const longestTitle = 120

/** On one line, and short enough to be read as one. */
export function titleOf(goal: string): string {
  const line = goal.trim().replaceAll(/\s+/gu, ' ')
  if (line === '') return 'complete the goal'
  const characters = Array.from(line)
  return characters.length <= longestTitle ? line : `${characters.slice(0, longestTitle - 3).join('')}...`
}

function stepProblem(steps: readonly ProposedStep[]): string | undefined {
  const keys = new Set<string>()
  for (const [i, step] of steps.entries()) {
    const key = step.key.trim()
    if (key === '') return `step ${i + 1} has no key`
    if (keys.has(key)) return `two steps have the key ${JSON.stringify(key)}`
    if (step.title.trim() === '') return `step ${JSON.stringify(key)} has no title`
    keys.add(key)
  }
  return undefined
}

function edgeProblem(steps: readonly ProposedStep[]): string | undefined {
  const keys = new Set(steps.map(({ key }) => key.trim()))
  for (const step of steps) {
    const key = step.key.trim()
    for (const other of named(step.dependsOn)) {
      if (other === key) return `step ${JSON.stringify(key)} depends on itself`
      if (!keys.has(other)) return `step ${JSON.stringify(key)} depends on ${JSON.stringify(other)}, which is no step`
    }
  }
  return undefined
}

function circleProblem(steps: readonly ProposedStep[]): string | undefined {
  const targets = new Map(steps.map(({ key, dependsOn }) => [key.trim(), named(dependsOn)]))
  const circle = findCycle(targets.keys(), (key) => targets.get(key) ?? [])
  return circle && `these steps wait for each other: ${circle.map((key) => JSON.stringify(key)).join(', ')}`
}

function named(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.map((key) => key.trim()).filter((key) => key !== ''))]
}
