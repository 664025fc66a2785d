/** The cost of learning. It belongs to no plan and no plan's budget, so each owner's cursor stores it. */
export interface Spent {
  /** Questions to a model, including repeated ones after a wrong answer. */
  readonly questions: number
  readonly tokens: number
  /** In millionths of a dollar. */
  readonly costMicros: number
}

/** The usage of one question. */
export interface DistillUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicros?: number
}

export const nothingSpent: Spent = { questions: 0, tokens: 0, costMicros: 0 }

export function withUsage(spent: Spent, { inputTokens, outputTokens, costMicros = 0 }: DistillUsage): Spent {
  return {
    questions: spent.questions + 1,
    tokens: spent.tokens + inputTokens + outputTokens,
    costMicros: spent.costMicros + costMicros,
  }
}

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    questions: a.questions + b.questions,
    tokens: a.tokens + b.tokens,
    costMicros: a.costMicros + b.costMicros,
  }
}

/** Reads the stored form; zero if there is none. */
export function spentIn(value: unknown): Spent {
  if (typeof value !== 'object' || value === null) return nothingSpent
  const of = (name: string): number => {
    const figure: unknown = Reflect.get(value, name)
    return typeof figure === 'number' ? figure : 0
  }
  return { questions: of('questions'), tokens: of('tokens'), costMicros: of('costMicros') }
}
