/** Memory for the directory a command is called in, opened for its duration. */
import type { Memory } from '@agentm/memory'
import type { Project } from '@agentm/routing'
import type { Call } from '../../command.ts'

export interface OpenedMemory {
  readonly memory: Memory
  readonly project: Project
}

/** Opens memory for reading. If nothing was ever stored, no file is created, and `otherwise` is the answer. */
export async function lookingAtMemory<T>(
  call: Call,
  work: (opened: OpenedMemory) => Promise<T>,
  otherwise: () => T,
): Promise<T> {
  return (await (await call.workspace()).isUntouched()) ? otherwise() : withMemory(call, work)
}

export async function withMemory<T>(call: Call, work: (opened: OpenedMemory) => Promise<T>): Promise<T> {
  const workspace = await call.workspace()
  return work({ memory: await workspace.memory(), project: await workspace.project() })
}
