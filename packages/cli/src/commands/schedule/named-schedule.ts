/** Says which schedules there are when a name fits none of them. */
import type { Harness } from '@agentm/harness'
import { isNodesError } from '@agentm/nodes'
import { UsageError } from '../../command.ts'
import { nearest } from '../../pure/nearest.ts'
import { typed } from '../../typed.ts'

export async function namedSchedule<T = never>(
  harness: Pick<Harness, 'schedules'>,
  name: string,
  use?: () => Promise<T>,
): Promise<T> {
  try {
    if (use !== undefined) return await use()
  } catch (error) {
    if (!isNodesError(error, 'ABSENT_NODE')) throw error
  }
  const names = (await harness.schedules()).map((each) => each.name)
  const meant = nearest(name, names)
  const hint =
    names.length === 0
      ? typed('There are no schedules. To add one: agentm schedule add NAME FILE')
      : meant === undefined
        ? `The schedules are: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`
        : `Did you mean ${meant}?`
  throw new UsageError(`there is no schedule named ${JSON.stringify(name)}. ${hint}`)
}
