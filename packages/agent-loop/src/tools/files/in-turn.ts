/** Changes of one file are made one after the other, so that each sees what the one before it wrote. */
const turns = new Map<string, Promise<unknown>>()

export async function inTurn<T>(at: string, change: () => Promise<T>): Promise<T> {
  const before = turns.get(at) ?? Promise.resolve()
  const turn = before.then(change, change)
  turns.set(at, turn)
  try {
    return await turn
  } finally {
    if (turns.get(at) === turn) turns.delete(at)
  }
}
