/** Finds the plan or step that somebody names; refuses a name that fits none or several, or something erased. */
import { type AmbiguousIdError, type FoundRow, type Harness, isHarnessError } from '@agentm/harness'
import { UsageError } from '../../command.ts'
import { shortId } from './pure/short-id.ts'

export interface RowSource {
  readonly harness: Pick<Harness, 'find'>
}

/** The plan or step was erased, and this command needs its content. */
export class ErasedError extends Error {
  override readonly name = 'ErasedError'
  readonly code = 'ERASED'
  readonly id: string
  constructor(id: string) {
    super(
      `the content of ${shortId(id)}, or of a part of it, was erased and cannot be restored. To see its ids, statuses and times: agentm trace PLAN`,
    )
    this.id = id
  }
}

export async function findRow(source: RowSource, words: string): Promise<FoundRow> {
  const found = await findAnyRow(source, words)
  if (found.erased) throw new ErasedError(found.id)
  return found
}

/** Also one that was erased. */
export async function findAnyRow({ harness }: RowSource, words: string): Promise<FoundRow> {
  try {
    return await harness.find(words)
  } catch (error) {
    if (!isHarnessError(error, 'AMBIGUOUS_ID')) throw error
    const { ids } = error as AmbiguousIdError
    const meant = ids.slice(0, 5).map((id) => shortId(id, 16))
    throw new UsageError(
      `"${words}" fits ${ids.length} plans or steps: ${meant.join(', ')}${ids.length > 5 ? ', …' : ''}. Give more characters of the id.`,
    )
  }
}

export async function findPlanId(source: RowSource, words: string): Promise<string> {
  return planIn(await findRow(source, words), words)
}

/** Also of one that was erased. */
export async function findAnyPlanId(source: RowSource, words: string): Promise<string> {
  return planIn(await findAnyRow(source, words), words)
}

function planIn({ of, id }: FoundRow, words: string): string {
  if (of === 'plan') return id
  throw new UsageError(`"${words}" is a step, and this command takes a plan. To list the plans: agentm status --all`)
}
