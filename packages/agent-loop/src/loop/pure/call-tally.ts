/**
 * How the calls of a conversation went: made or refused. A model that could do nothing may still say that it is done, so the words
 * of its answer do not decide that.
 */
import type { Tool } from '../tool.ts'

/** How the calls of a loop went: made, or refused. It is plain data, so that it can be stored in a checkpoint. */
export interface CallTally {
  /** Calls that reached their tool, whether or not it succeeded. */
  readonly made: number
  /** Successful calls that may have changed something, other than notes in memory. */
  readonly changed: number
  /** How often a tool was refused, by its name: by a policy, by a person, or because the step does not have it. */
  readonly refused: Readonly<Record<string, number>>
  /** The refused tools that the step does not have, and that would have changed something. */
  readonly lacking: readonly string[]
}

export const freshTally: CallTally = { made: 0, changed: 0, refused: {}, lacking: [] }

export interface TalliedCall {
  readonly tool: string
  readonly end: 'succeeded' | 'failed' | 'refused'
  /** What is known of the tool; `undefined` if there is no such tool. */
  readonly nature: Tool['nature'] | undefined
  /** Whether the step may call it. */
  readonly offered: boolean
}

export function tallied(tally: CallTally, { tool, end, nature, offered }: TalliedCall): CallTally {
  if (end !== 'refused') {
    const changes = end === 'succeeded' && nature !== 'pure' && !tool.startsWith('memory_')
    return { ...tally, made: tally.made + 1, changed: tally.changed + (changes ? 1 : 0) }
  }
  const refused = { ...tally.refused, [tool]: (tally.refused[tool] ?? 0) + 1 }
  const isLacking = !offered && (nature === undefined ? builtInChangers.has(tool) : nature !== 'pure')
  return { ...tally, refused, lacking: isLacking ? [...new Set([...tally.lacking, tool])] : tally.lacking }
}

/** The built-in tools that change something. A configuration can leave them out, and then nothing else is known of them. */
const builtInChangers: ReadonlySet<string> = new Set(['files_write', 'files_edit', 'shell', 'http_send'])

/**
 * The tools whose refusal left the work undone: all of them if no call was made at all, or those for changes if nothing was
 * changed. None if the work could be done without them. `isNeeded` says which tools the work is known to need, because a page that
 * an agent reads may talk it into calling others.
 */
export function decisiveRefusals(
  { made, changed, refused, lacking }: CallTally,
  isNeeded: (tool: string) => boolean = () => true,
): readonly string[] {
  if (made === 0) return Object.keys(refused)
  return changed === 0 ? lacking.filter(isNeeded) : []
}
