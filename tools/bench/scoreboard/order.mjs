// @ts-check
/** The order of the page, and of a run of everything: from the floor of the house to its roof. */
export const order = [
  'storage',
  'nodes-sqlite',
  'nodes-postgres',
  'recall',
  'recall-size',
  'seam',
  'harness',
  'sleepers',
  'telemetry',
  'gates',
]

/** @template T @param {Readonly<Record<string, T>>} named @returns {[string, T][]} */
export function inOrder(named) {
  return Object.entries(named).toSorted(([a], [b]) => placeOf(a) - placeOf(b) || a.localeCompare(b))
}

/** @param {string} name */
function placeOf(name) {
  return order.includes(name) ? order.indexOf(name) : order.length
}
