/**
 * Whether a checkout may write under a project name. A name belongs to the repository that wrote under it first, because two
 * repositories with the same name must not read or overwrite each other's plans.
 */

/** One working copy of a repository. */
export interface Checkout {
  /** The path as text. On another machine, the same path can be another directory. */
  readonly root: string
  /** The address it was cloned from, in a normalised form. */
  readonly remote?: string
}

/** `unbound`: every checkout may read, and the first write binds the name. */
export type ProjectBinding = 'unbound' | 'bound' | 'foreign'

/**
 * The same remote means the same project. If one side has no remote, the roots must be equal. Different remotes are different
 * projects even at the same root, because in containers every checkout has the same path.
 */
export function bindingOf(bindings: readonly Checkout[], here: Checkout): ProjectBinding {
  if (bindings.length === 0) return 'unbound'
  return bindings.some((known) => isSame(known, here)) ? 'bound' : 'foreign'
}

function isSame(known: Checkout, here: Checkout): boolean {
  if (known.remote !== undefined && here.remote !== undefined) return known.remote === here.remote
  return known.root === here.root
}

/** Whether a write from here must be recorded: the first write, or one with a new remote. */
export function bringsNews(bindings: readonly Checkout[], here: Checkout): boolean {
  if (bindings.length === 0) return true
  return here.remote !== undefined && !bindings.some(({ remote }) => remote === here.remote)
}

/** The bindings as text, for the message that refuses another checkout. */
export function describeBindings(bindings: readonly Checkout[]): string {
  return bindings.map(({ root, remote }) => remote ?? root).join(', ')
}

/**
 * The registered name of a checkout without a remote, by its root. Bindings with a remote are ignored, because in containers every
 * checkout has the same path. Of several, the last one that a person chose is used.
 */
export function repoOfRoot<
  R extends { readonly slug: string; readonly rootPath: string; readonly bindings: readonly Checkout[] },
>(repos: readonly R[], root: string, usual: readonly string[]): R | undefined {
  const own = repos.filter(({ rootPath, bindings }) =>
    bindings.length === 0
      ? rootPath === root
      : bindings.some((known) => known.remote === undefined && known.root === root),
  )
  return own.findLast(({ slug }) => !usual.includes(slug)) ?? own.at(-1)
}
