/**
 * What is known that matters here and now, as Markdown within a budget of tokens: what is always loaded, what the phase of
 * work asks for, then whatever else fits, ranked by the query where there is one. It never raises: a process that asks on
 * its way must not fail because memory is absent or broken. `agentm doctor` is where the reason is told.
 */
import { openMemoryReader } from '@agentm/workspace/reader'
import { directoryOf, type SeamContext } from './context.ts'

export interface RecallHereOptions {
  /** What is wanted; the phase alone decides where it is absent. */
  readonly query?: string | null
  /** Budget in tokens; the phase's own where absent. */
  readonly limit?: number | null
}

export async function recallHere(
  context: SeamContext | null | undefined,
  { query, limit }: RecallHereOptions = {},
): Promise<string> {
  try {
    const opened = await openMemoryReader(directoryOf(context))
    if (opened === undefined) return ''
    try {
      const bundle = await opened.memory.bundle({
        ...(context?.phase === undefined ? {} : { phase: context.phase }),
        ...(query ? { query } : {}),
        ...(limit ? { limit } : {}),
      })
      return bundle.text
    } finally {
      await opened.close()
    }
  } catch {
    return ''
  }
}
