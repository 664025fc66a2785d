/**
 * A limit as a parameter. The sum hides the value from the planner. Otherwise the plan is made for one value and discarded when another
 * value is bound, so the statement would be prepared again at every call.
 */
export const limited = limitedBy('?')

export function limitedBy(parameter: string): string {
  return `limit ${parameter} + 0`
}
