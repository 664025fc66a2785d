import { isNodesError } from '@agentm/nodes'
import type { Call } from '../../command.ts'
import { findAnyPlanId } from './find-row.ts'

/** The id of the plan somebody means; as it was given where there is none, for whoever answers that by itself. */
export async function fullId(words: string, { reader }: Pick<Call, 'reader'>): Promise<string> {
  const opened = await (await reader()).plans()
  if (opened === undefined) return words
  try {
    return await findAnyPlanId(opened, words)
  } catch (error) {
    if (isNodesError(error, 'ABSENT_NODE')) return words
    throw error
  }
}
