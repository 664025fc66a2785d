import { isNodesError } from '@agentm/nodes'
import type { Call } from '../../command.ts'
import { findAnyPlanId } from './find-row.ts'

/** The full id of the plan that `words` name; `words` themselves if there is no such plan. */
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
