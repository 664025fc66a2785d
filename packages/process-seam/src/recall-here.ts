/**
 * What is known that matters here and now, as Markdown within a budget of tokens: what is always loaded, what the phase of
 * work asks for, then whatever else fits, ranked by the query where there is one. It never raises: a process that asks on
 * its way must not fail because memory is absent or broken. `agentm doctor` is where the reason is told.
 */
import { openWorkspaceReader, phaseOf } from '@agentm/workspace/reader'
import { directoryOf, type SeamContext } from './context.ts'
import { phaseBudget } from './pure/phase-budget.ts'

/** Options of `recallHere`. */
export interface RecallHereOptions {
  /** What is wanted; the phase alone decides where it is absent. */
  readonly query?: string | null
  /** Budget in tokens (default: what `HARNESS_RECALL_BUDGET_<PHASE>` says, else the phase's own). */
  readonly limit?: number | null
  /** How long to wait for a log on a server (default: one second). If it does not answer, only notes are returned. */
  readonly serverMs?: number
}

/**
 * What is known that matters in a directory, as Markdown within a budget of tokens. It never throws: without memory it
 * answers `''`.
 *
 * @example
 * ```ts
 * import { recallHere } from '@agentm/process-seam'
 *
 * const text = await recallHere({ cwd: '/srv/checkouts/acme', phase: 'plan' }, { query: 'locks', limit: 2000 })
 * ```
 */
export async function recallHere(
  context: SeamContext | null | undefined,
  { query, limit, serverMs }: RecallHereOptions = {},
): Promise<string> {
  try {
    const workspace = await openWorkspaceReader(directoryOf(context))
    try {
      const opened = await workspace.memory(serverMs === undefined ? {} : { serverMs })
      if (opened === undefined) return ''
      const budget = limit || phaseBudget(phaseOf(context?.phase), process.env).tokens
      const bundle = await opened.memory.bundle({
        ...(context?.phase === undefined ? {} : { phase: context.phase }),
        ...(query ? { query } : {}),
        ...(budget === undefined ? {} : { limit: budget }),
      })
      return bundle.text
    } finally {
      await workspace.close()
    }
  } catch {
    return ''
  }
}
