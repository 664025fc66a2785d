/** Which tools of its role an agent does without, and whether it can do the work of the role all the same. */
import { type ToolFacts, wantedTools } from './granted-tools.ts'
import { seedRoles } from './seed-roles.ts'

/** The tools an agent does without. */
export interface Lacking {
  readonly tools: readonly string[]
  /** `false`: its role is to change something, and none of its tools can. */
  readonly canWork: boolean
}

/**
 * The tools that an agent does without here. `available` are the tools of this installation. Of an agent without a built-in role,
 * only its own list of tools is known.
 *
 * @example
 * ```ts
 * import { lackingTools } from '@agentm/planner'
 *
 * const reads = [{ name: 'files_read', nature: 'pure' }] as const
 * console.log(lackingTools({ role: 'builder', tools: ['files_read'] }, reads).canWork) // false
 * ```
 */
export function lackingTools(
  { role: slug, tools }: { readonly role: string; readonly tools: readonly string[] },
  available: readonly ToolFacts[],
): Lacking {
  const role = seedRoles.find((known) => known.slug === slug)
  const has = available.filter(({ name }) => tools.includes(name))
  const wanted = role === undefined ? tools : wantedTools(role.domains, role.tools).wanted
  return {
    tools: wanted.filter((name) => !has.some((tool) => tool.name === name)),
    // A note in memory is not what the work is for.
    canWork: role?.acts !== true || has.some(({ name, nature }) => nature !== 'pure' && !name.startsWith('memory_')),
  }
}
