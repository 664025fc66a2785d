/** A view of something that can do more: these verbs and no others, also for callers without types. */
export function only<T extends object, const K extends keyof T>(thing: T, verbs: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    verbs.map((verb) => {
      const value = thing[verb]
      return [verb, typeof value === 'function' ? value.bind(thing) : value]
    }),
  ) as Pick<T, K>
}
