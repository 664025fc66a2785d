import type { Question } from '../question.ts'

/**
 * Asks a person about one call. Returns the answer, or `undefined` if there is none yet: the loop then stops at this call and can
 * be continued later. An answer that the question does not allow counts as the most careful one.
 */
export type Ask = (question: Question) => Promise<string | undefined>
