/**
 * What matters for the work in a directory, as Markdown within a budget of tokens: always-loaded notes, notes for the phase of
 * work, then others, ranked by the query if there is one. It never throws, because the calling process must not fail if memory is
 * absent or broken. `agentm doctor` shows the reason.
 */
import { openWorkspaceReader, phaseOf } from '@agentm/workspace/reader'
import { directoryOf, type SeamContext } from './context.ts'
import { phaseBudget } from './pure/phase-budget.ts'

/** Options of `recallHere`. */
export interface RecallHereOptions {
  /** The topic. Without it, the phase alone decides. */
  readonly query?: string | null
  /** Budget in tokens (default: what `HARNESS_RECALL_BUDGET_<PHASE>` says, else the phase's own). */
  readonly limit?: number | null
  /** How long to wait for a log on a server (default: one second). If it does not answer, only notes are returned. */
  readonly serverMs?: number
}

/**
 * What matters for the work in a directory, as Markdown within a budget of tokens. It never throws: without memory it returns `''`.
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
