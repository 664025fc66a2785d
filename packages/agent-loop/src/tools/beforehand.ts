/** Marks failures before a tool has done any work: such a call had no effect. */
import { classifyError } from '../loop/pure/classify-error.ts'
import { ToolError } from '../loop/tool-error.ts'

export async function beforehand<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare()
  } catch (cause) {
    const { type, message, details } = classifyError(cause ?? 'it failed without saying why')
    throw new ToolError(type, message, { cause, mayHaveHappened: false, ...(details && { details }) })
  }
}
