/**
 * Whether a checkout may write under a project name. A name belongs to the repository that wrote under it first: two
 * repositories that happen to have one name must not read or overwrite each other's plans.
 */

/** One working copy of a repository. */
export interface Checkout {
  /** Where it is, as text: on another machine it means another directory. */
  readonly root: string
  /** Where it was cloned from, in one spelling for all ways to reach it. */
  readonly remote?: string
}

/** `unbound`: readable by everybody, and bound by the first write. */
export type ProjectBinding = 'unbound' | 'bound' | 'foreign'

/**
 * The same remote is the same project; where one side has none only the same root is. Two remotes that differ are two
 * projects also at one root: in containers every checkout is at the same place.
 */
export function bindingOf(bindings: readonly Checkout[], here: Checkout): ProjectBinding {
  if (bindings.length === 0) return 'unbound'
  return bindings.some((known) => isSame(known, here)) ? 'bound' : 'foreign'
}

function isSame(known: Checkout, here: Checkout): boolean {
  if (known.remote !== undefined && here.remote !== undefined) return known.remote === here.remote
  return known.root === here.root
}

/** Whether a write from here is recorded: the first one, and one with a new remote. */
export function bringsNews(bindings: readonly Checkout[], here: Checkout): boolean {
  if (bindings.length === 0) return true
  return here.remote !== undefined && !bindings.some(({ remote }) => remote === here.remote)
}

/** For the message that refuses another checkout. */
export function describeBindings(bindings: readonly Checkout[]): string {
  return bindings.map(({ root, remote }) => remote ?? root).join(', ')
}

/**
 * What a checkout that was cloned from nowhere is registered as, by its place. Bindings with a remote say nothing about it: in
 * containers every checkout is at the same place. Of several, the last one that a person chose.
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
