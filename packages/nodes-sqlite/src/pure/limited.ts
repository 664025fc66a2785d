/**
 * A limit that is a parameter. The sum hides it from the planner: a plan that was made for one value of a bare parameter is
 * thrown away when the next value is bound, and the statement is prepared anew at every call.
 */
export const limited = limitedBy('?')

export function limitedBy(parameter: string): string {
  return `limit ${parameter} + 0`
}
