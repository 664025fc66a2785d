/**
 * Reads and changes the text of the registry of repositories, which Python programs read and write, too. Entries and fields of
 * other programs are kept. A registry that cannot be parsed is refused, never repaired.
 */
import { formatJson, JsonNumber, type JsonObject, type JsonValue, parseJson } from '@agentm/selection/reader'
import { RegistryCorruptError } from '../routing-errors.ts'
import type { Checkout } from './project-binding.ts'

/** A registered repository. */
export interface Repo {
  readonly slug: string
  readonly rootPath: string
  readonly wikiPath?: string
  /** The checkouts that this project name belongs to; empty before the first write. */
  readonly bindings: readonly Checkout[]
}

export interface RepoToRegister {
  readonly slug: string
  readonly rootPath: string
  readonly wikiPath?: string
  /** A checkout to add to the bindings of the name. */
  readonly binding?: Checkout
}

/** In the order of the file. */
export function reposOf(text: string | undefined): Repo[] {
  return entriesOf(documentOf(text))
    .filter((entry) => typeof entry.get('slug') === 'string')
    .map(repoOf)
}

/** Updates the first entry of that name in place, or appends one. */
export function withRepo(text: string | undefined, repo: RepoToRegister): string {
  const document = documentOf(text)
  const entries = entriesOf(document)
  const known = entries.find((entry) => entry.get('slug') === repo.slug)
  const entry: JsonObject = known ?? new Map([['slug', repo.slug]])
  entry.set('root_path', posixPath(repo.rootPath))
  if (repo.wikiPath !== undefined) entry.set('wiki_path', posixPath(repo.wikiPath))
  if (repo.binding !== undefined) addBinding(entry, repo.binding)
  if (known === undefined) entries.push(entry)
  return formatJson(document)
}

/** Adds a checkout to an entry, and changes nothing else in it. */
export function withBinding(text: string | undefined, slug: string, binding: Checkout): string {
  const document = documentOf(text)
  const entry = entriesOf(document).find((each) => each.get('slug') === slug)
  if (entry === undefined) return withRepo(text, { slug, rootPath: binding.root, binding })
  addBinding(entry, binding)
  return formatJson(document)
}

/** Removes every entry of that name; `undefined` if there is none. */
export function withoutRepo(text: string | undefined, slug: string): string | undefined {
  const document = documentOf(text)
  const entries = entriesOf(document)
  const kept = entries.filter((entry) => entry.get('slug') !== slug)
  if (kept.length === entries.length) return undefined
  document.set('repos', kept)
  return formatJson(document)
}

/** The path in the form of Python's `PurePosixPath`. The disk is not read, and a backslash stays. */
export function posixPath(path: string): string {
  const lead = /^\/\/(?!\/)/.test(path) ? '//' : path.startsWith('/') ? '/' : ''
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return lead + parts.join('/') || '.'
}

export function documentOf(text: string | undefined): JsonObject {
  const document = text === undefined ? new Map<string, JsonValue>() : parsed(text)
  if (!document.has('version')) document.set('version', new JsonNumber('1'))
  if (!document.has('repos')) document.set('repos', [])
  return document
}

function parsed(text: string): JsonObject {
  let value: JsonValue
  try {
    value = parseJson(text)
  } catch (error) {
    throw new RegistryCorruptError(`is not JSON (${error instanceof Error ? error.message : String(error)})`, {
      cause: error,
    })
  }
  if (value instanceof Map) return value
  throw new RegistryCorruptError('does not hold an object')
}

export function entriesOf(document: JsonObject): JsonObject[] {
  const repos = document.get('repos')
  if (!Array.isArray(repos)) throw new RegistryCorruptError('has "repos" that is not a list')
  const stranger = repos.findIndex((entry) => !(entry instanceof Map))
  if (stranger !== -1)
    throw new RegistryCorruptError(`has an entry that is not an object (the ${stranger + 1}. of "repos")`)
  return repos as JsonObject[]
}

function repoOf(entry: JsonObject): Repo {
  const wikiPath = entry.get('wiki_path')
  return {
    slug: textOf(entry.get('slug')),
    rootPath: textOf(entry.get('root_path')),
    ...(typeof wikiPath === 'string' ? { wikiPath } : {}),
    bindings: bindingsOf(entry),
  }
}

export function bindingsOf(entry: JsonObject): Checkout[] {
  const bindings = entry.get('bindings') ?? []
  if (!Array.isArray(bindings) || bindings.some((each) => !(each instanceof Map)))
    throw new RegistryCorruptError(
      `has "bindings" of ${JSON.stringify(textOf(entry.get('slug')))} that is not a list of objects`,
    )
  return (bindings as JsonObject[]).map((each) => {
    const remote = each.get('remote')
    return { root: textOf(each.get('root')), ...(typeof remote === 'string' ? { remote } : {}) }
  })
}

export function addBinding(entry: JsonObject, { root, remote }: Checkout): void {
  const others = bindingsOf(entry).filter((each) => each.root !== root || (each.remote ?? remote) !== remote)
  const bindings = [...others, { root, ...(remote === undefined ? {} : { remote }) }]
  entry.set(
    'bindings',
    bindings.map((each) => new Map(Object.entries(each))),
  )
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
