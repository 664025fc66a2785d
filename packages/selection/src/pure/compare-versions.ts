/** Orders versions as semver does: 10 is newer than 9, and a pre-release is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [split(a), split(b)]
  return compareLists(left.release, right.release) || comparePreRelease(left.pre, right.pre)
}

function split(version: string): { release: string[]; pre: string[] } {
  const [bare = ''] = version.replace(/^[v=\s]+/, '').split('+')
  const dash = bare.indexOf('-')
  const release = dash === -1 ? bare : bare.slice(0, dash)
  return { release: release.split('.'), pre: dash === -1 ? [] : bare.slice(dash + 1).split('.') }
}

function comparePreRelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  return compareLists(a, b)
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = comparePart(a[i], b[i])
    if (difference !== 0) return difference
  }
  return 0
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  const [x, y] = [numeric(a), numeric(b)]
  if (x !== undefined && y !== undefined) return x - y
  if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

function numeric(part: string): number | undefined {
  return /^\d+$/.test(part) ? Number(part) : undefined
}
