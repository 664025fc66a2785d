/** What fails before a tool does anything: whatever it was, nothing happened. */
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
