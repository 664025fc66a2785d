/** The ids of questions that a durable function asks. They say which entry holds the question. */
const form = /^(?:ask|outcome)-(\d+)(?:-|$)/

export function questionIdOf(position: number): string {
  return `ask-${position}`
}

/** A second loss of the same step is another question. */
export function outcomeIdOf(position: number, intentAt: number): string {
  return `outcome-${position}-${intentAt}`
}

/** The position of the entry that asks it; `undefined` if no function asks under such an id. */
export function positionOf(questionId: string): number | undefined {
  const [, position] = form.exec(questionId) ?? []
  return position === undefined ? undefined : Number(position)
}
