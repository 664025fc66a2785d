/**
 * Whether a plan file is a copy that a sync program made. Only beside its original is it one: a plan somebody named
 * "release (2)" is a plan.
 */
export function isConflictCopy(name: string, siblings: ReadonlySet<string>): boolean {
  return originalsOf(name).some((original) => original !== name && siblings.has(original))
}

/** The names this could be a copy of, by the markers of the common sync programs. */
function originalsOf(name: string): string[] {
  const { stem, extension } = split(name)
  return markers.filter((marker) => marker.test(stem)).map((marker) => stem.replace(marker, '') + extension)
}

const markers = [
  / ?\([^()]*conflicted copy[^()]*\)/i,
  / ?\[conflict[^\]]*\](?: - .*)?/i,
  /\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?/,
  /[\s\p{Zs}]+\(\p{Nd}+\)$/u,
  /[\s\p{Zs}]+\p{Nd}+$/u,
]

function split(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return { stem: name.slice(0, dot), extension: name.slice(dot) }
}
