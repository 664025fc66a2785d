/** The tools of the calls that have no answer yet. Bounded, so that calls which never get one do not pile up. */

/** The tool of each call, by the id of the call, in the order they were made. */
export type OpenCalls = Readonly<Record<string, string>>

const most = 200

/** The open calls with one more. */
export function keepOpenCall(calls: OpenCalls, id: string, tool: string): OpenCalls {
  const all = { ...calls, [id]: tool }
  const entries = Object.entries(all)
  return entries.length <= most ? all : Object.fromEntries(entries.slice(entries.length - most))
}

/** The tool of a call that is answered now, and the calls without it. */
export function takeOpenCall(
  calls: OpenCalls,
  id: string,
): { readonly tool: string | undefined; readonly calls: OpenCalls } {
  if (!Object.hasOwn(calls, id)) return { tool: undefined, calls }
  const rest = Object.fromEntries(Object.entries(calls).filter(([key]) => key !== id))
  return { tool: calls[id], calls: rest }
}
