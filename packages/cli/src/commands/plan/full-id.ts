import { isNodesError } from '@agentm/nodes'
import { openHarnessReader } from '@agentm/workspace'
import { findAnyPlanId } from './find-row.ts'

/** The id of the plan somebody means; as it was given where there is none, for whoever answers that by itself. */
export async function fullId(words: string): Promise<string> {
  const opened = await openHarnessReader()
  if (opened === undefined) return words
  try {
    return await findAnyPlanId(opened, words)
  } catch (error) {
    if (isNodesError(error, 'ABSENT_NODE')) return words
    throw error
  } finally {
    await opened.close()
  }
}
