/** What is wrong with the input of a step, by field, with an example of valid input. */
import { knownInputs } from './known-inputs.ts'
import type { LocatedYaml } from './located-yaml.ts'
import { kindOf, type OutlinedStep } from './plan-file-schema.ts'

type Path = readonly PropertyKey[]

export function inputProblems(
  step: OutlinedStep,
  { yaml, at }: { readonly yaml: LocatedYaml; readonly at: Path },
): readonly string[] {
  const { key, input = {} } = step
  const kind = kindOf(step)
  if (kind === undefined) return []
  const parsed = Object.hasOwn(knownInputs, kind) ? knownInputs[kind]?.safeParse(input) : undefined
  if (parsed === undefined || parsed.success) return []
  const say = (place: string, path: Path, what: string) =>
    `${place} step "${key}": ${path.join('.')}: ${what}. An example for kind ${kind}: ${examples[kind] ?? '{}'}`
  return parsed.error.issues
    .filter(({ path }) => !isReference(input, path))
    .flatMap((issue) => {
      const path = ['input', ...issue.path]
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((field) =>
          say(yaml.placeOfKey([...at, ...path], field), [...path, field], 'there is no such field'),
        )
      const what = isAbsent(input, issue.path) ? 'it is required' : lowerFirst(issue.message)
      return [say(yaml.place([...at, ...path]), path, what)]
    })
}

const examples: Readonly<Record<string, string>> = {
  agent: '{ goal: what it is for, roleHint: builder }',
  approval: '{ text: "Ship it?", allowed: [approve, deny] }',
  command: '{ command: npm, args: [test] }',
  http: '{ url: "https://example.com/hook", method: POST, body: { done: true } }',
  'claude-code': '{ prompt: "Make the test pass.", permissions: { shell: ["npm test"] } }',
  codex: '{ prompt: "Make the test pass." }',
  gemini: '{ prompt: "Make the test pass.", model: gemini-2.5-pro }',
  opencode: '{ prompt: "Make the test pass." }',
  module: '{ module: ~/steps.mjs, export: build, args: { fast: true } }',
}

/** Its value is known only when the step runs. The step checks it then. */
function isReference(input: unknown, path: Path): boolean {
  let at = input
  for (const part of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined
  return typeof at === 'string' && at.includes('${{')
}

function isAbsent(input: unknown, path: Path): boolean {
  let at = input
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return true
    at = Reflect.get(at, part)
  }
  return false
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
