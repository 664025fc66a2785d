/**
 * The programs that an agent may run. An entry is a program, or a program with its first arguments: `git status` allows `git status
 * --short` and no other git command. `*` allows all programs.
 */
export function mayRun(allow: readonly string[], [program, ...args]: readonly [string, ...string[]]): boolean {
  if (program === '') return false
  return allow.some((entry) => {
    const [name = '', ...first] = entry.trim().split(/\s+/)
    if (name === '*' && first.length === 0) return true
    return name === program && first.every((word, i) => args[i] === word)
  })
}

/** Variables that no program of an agent gets, even if the policy allows them, because they give access to a store or a model. */
export function isSecretName(name: string, secrets: readonly string[] = []): boolean {
  return /^(?:AGENTM_|PG)/i.test(name) || secrets.includes(name)
}

/** The directories of the PATH that are absolute. Relative ones depend on where the agent works. */
export function absolutePlaces(path: string, separator: ':' | ';'): string {
  const isAbsolute = separator === ':' ? /^\// : /^(?:[a-z]:[\\/]|\\\\)/i
  return path
    .split(separator)
    .filter((place) => isAbsolute.test(place))
    .join(separator)
}
