/** The value of a text that should be JSON; `undefined` if it is not. Servers behind a proxy answer with a page instead. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
