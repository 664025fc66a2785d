/** Plans of the configured owner, opened for the duration of a command. */
import path from 'node:path'
import { AbsentNodeError } from '@agentm/nodes'
import {
  hasNodeLog,
  openHarness,
  type OpenedHarness,
  openHarnessReader,
  type OpenedHarnessReader,
} from '@agentm/workspace'
import type { Answer, Call } from '../../command.ts'

export async function withPlans(call: Call, work: (opened: OpenedHarness) => Promise<Answer>): Promise<Answer> {
  const opened = await openHarness(directoryOf(call))
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** To change what is there already: where no log was ever written nothing has that name, and none is made. */
export async function changingPlans(call: Call, work: (opened: OpenedHarness) => Promise<Answer>): Promise<Answer> {
  if (!(await hasNodeLog())) throw new AbsentNodeError(call.args[0] ?? '')
  return withPlans(call, work)
}

/** Where the command is called, or told to be. */
export function directoryOf(call: Call): string {
  return path.resolve(call.cwd, call.get('cwd') ?? '.')
}

/** To look; makes no log where there is none, and answers `otherwise` then. */
export async function lookingAtPlans(
  work: (opened: OpenedHarnessReader) => Promise<Answer>,
  otherwise: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const opened = await openHarnessReader()
  if (opened === undefined) return otherwise()
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
