/** What `steps.KEY.output` means for a kind of step: the part of the result that the next step wants. */
type Result = Readonly<Record<string, unknown>> | undefined

export function stepOutput(kind: string, result: Result): unknown {
  if (result === undefined) return null
  switch (kind) {
    case 'command':
      return jsonOr(result['stdout'])
    case 'agent':
      return jsonOr(result['text'])
    case 'http':
      return result['body'] ?? null
    case 'approval':
      return result['answer'] ?? null
    default:
      return isOnlyValue(result) ? (result['value'] ?? null) : result
  }
}

/** What a program or a model says is text, and often that text is JSON. */
function jsonOr(said: unknown): unknown {
  if (typeof said !== 'string') return said ?? null
  try {
    return JSON.parse(said)
  } catch {
    return said.trim()
  }
}

/** Durable functions and modules keep a result that is no object under `value`. */
function isOnlyValue(result: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(result).every((key) => key === 'value')
}
