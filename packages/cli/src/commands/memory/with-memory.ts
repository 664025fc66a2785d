/** Memory for the directory a command is called in, opened for its duration. */
import { isUntouched, openMemory, type OpenedMemory } from '@agentm/workspace'
import type { Call } from '../../command.ts'

/** To look: where nothing was ever kept, nothing is made, and `otherwise` is the answer. */
export async function lookingAtMemory<T>(
  call: Call,
  work: (opened: OpenedMemory) => Promise<T>,
  otherwise: () => T,
): Promise<T> {
  return (await isUntouched()) ? otherwise() : withMemory(call, work)
}

export async function withMemory<T>(
  call: Call,
  work: (opened: OpenedMemory) => Promise<T>,
  concepts?: Parameters<typeof openMemory>[2],
): Promise<T> {
  const opened = await openMemory(call.get('cwd') ?? call.cwd, undefined, concepts)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
