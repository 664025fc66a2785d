/** Memory for the directory a command is called in, opened for its duration. */
import { openMemory, type OpenedMemory } from '@agentm/workspace'
import type { Answer, Call } from '../../command.ts'

export async function withMemory(call: Call, work: (opened: OpenedMemory) => Promise<Answer>): Promise<Answer> {
  const opened = await openMemory(call.get('cwd') ?? call.cwd)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

export const whereOption = { cwd: { value: 'DIR', help: 'as if called in this directory' } }
