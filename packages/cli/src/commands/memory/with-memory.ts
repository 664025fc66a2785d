/** Memory for the directory a command is called in, opened for its duration. */
import { openMemory, type OpenedMemory } from '@agentm/workspace'
import type { Call } from '../../command.ts'

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
