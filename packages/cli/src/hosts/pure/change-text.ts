/** What happens to a file of a host, in one line. */
import type { PartName, Step } from '../host-file.ts'

/** Such as `adds the MCP server agentm and the hooks Stop and SessionEnd`; empty if nothing happens. */
export function changeText(steps: readonly Step[]): string {
  const verbs = [
    ['adds', 'added'],
    ['updates', 'replaced'],
    ['removes', 'removed'],
  ] as const
  const told = verbs.flatMap(([verb, outcome]) => {
    const names = steps.filter((step) => step.outcome === outcome).map(({ name }) => name)
    return names.length === 0 ? [] : [`${verb} ${listed(names)}`]
  })
  return told.join('; ')
}

/** What a person changed and keeps, such as `the hook Stop`; empty if there is nothing. */
export function keptText(steps: readonly Step[]): string {
  return listed(steps.filter(({ outcome }) => outcome === 'kept').map(({ name }) => name))
}

function listed(names: readonly PartName[]): string {
  const nouns = [...new Set(names.map(({ noun }) => noun))]
  return joined(
    nouns.map((noun) => {
      const these = names.filter((name) => name.noun === noun).map(({ name }) => name)
      return `${noun}${these.length > 1 ? 's' : ''} ${joined(these)}`
    }),
  )
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
