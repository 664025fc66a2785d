import type { Question } from '../question.ts'

/**
 * Asks a person about one call, and gives the answer, or nothing where there is none yet: the loop then stops at this call
 * and can be taken up again. An answer the question does not allow counts as its most careful one.
 */
export type Ask = (question: Question) => Promise<string | undefined>
