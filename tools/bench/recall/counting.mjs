// @ts-check
/**
 * The same object, with its calls counted: every method counts as a write that is not known to read.
 * @template {object} T @param {T} target @param {readonly string[]} readers @param {{ writes: number }} calls @returns {T}
 */
export function counting(target, readers, calls) {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (/** @type {unknown[]} */ ...args) => {
        if (!readers.includes(String(name))) calls.writes += 1
        return Reflect.apply(value, target, args)
      }
    },
  })
}
