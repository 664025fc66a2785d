/** Makes one run per key at a time, for all loops over one store in this process. The others get the same answer. */
const flights = new WeakMap<object, Map<string, Promise<unknown>>>()

export async function oneFlight<T>(store: object, key: string, run: () => Promise<T>): Promise<T> {
  const open = flights.get(store) ?? new Map<string, Promise<unknown>>()
  flights.set(store, open)
  const existing = open.get(key)
  if (existing !== undefined) return existing as Promise<T>
  const flight = run().finally(() => open.delete(key))
  open.set(key, flight)
  return flight
}
