/** The plan or step somebody means, and what a person is told where it is none, several, or erased. */
import { type AmbiguousIdError, type FoundRow, type Harness, isHarnessError } from '@agentm/harness'
import { UsageError } from '../../command.ts'
import { shortId } from './pure/short-id.ts'

export interface RowSource {
  readonly harness: Pick<Harness, 'find'>
}

/** What is needed of it is gone for good. */
export class ErasedError extends Error {
  override readonly name = 'ErasedError'
  readonly code = 'ERASED'
  readonly id: string
  constructor(id: string) {
    super(`${shortId(id)} was erased, or a part of it that this needs. agentm trace PLAN tells what is left of a plan.`)
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
    throw new UsageError(`"${words}" may be ${ids.length} rows: ${meant.join(', ')}${ids.length > 5 ? ', …' : ''}.`)
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
  throw new UsageError(`${words} is a step. Name its plan; agentm status lists them.`)
}
