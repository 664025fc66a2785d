import { oldestReadyFunction, takeFunction } from './take-function.ts'

/**
 * Claims by one statement. And functions plan their statements once: the arrays they are given differ in length from call
 * to call, which the server takes for a reason to plan anew each time.
 */
export function claimAhead(s: string): string {
  return `${oldestReadyFunction(s)}
${takeFunction(s)}
alter function ${s}.append set plan_cache_mode = force_generic_plan;
alter function ${s}.claimable(text, bigint, text[], text[], text, integer, integer, text[], text[], text[], text[])
  set plan_cache_mode = force_generic_plan;`
}
