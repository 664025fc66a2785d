/**
 * The knowledge graph of `@modelcontextprotocol/server-memory`: one note per entity, with its observations as a list and its relations as
 * links to the notes of other entities.
 */
import { slugFor } from '@agentm/memory/notes'
import { contentHash } from '@agentm/storage-seam'
import type { Read } from '../import-entry.ts'
import { listIn, textIn, textsIn } from './json-fields.ts'

export interface GraphItem {
  /** Where it is in the file. */
  readonly place: string
  readonly value: unknown
}

/** The items of the file: one per line, or the lists of one object. */
export function graphItems(value: unknown): readonly GraphItem[] {
  const of = (name: string, type: string) =>
    listIn(value, name).map((each, i) => ({ place: `${name} ${i + 1}`, value: typed(each, type) }))
  return [...of('entities', 'entity'), ...of('relations', 'relation')]
}

function typed(value: unknown, type: string): unknown {
  return typeof value === 'object' && value !== null && !('type' in value) ? { ...value, type } : value
}

/** `source` names the file, because two files can have entities of the same name. */
export function serverMemoryEntries(items: readonly GraphItem[], source: string): readonly Read[] {
  const entities = items.filter(({ value }) => textIn(value, 'type') === 'entity')
  const slugs = slugsOf(entities)
  const relations = relationsOf(items)
  const unknown = items
    .filter(({ value }) => !['entity', 'relation'].includes(textIn(value, 'type') ?? ''))
    .map(({ place }) => ({ place, why: 'it is neither an entity nor a relation' }))
  return [...entities.map((entity) => entryOf(entity, { slugs, relations, source })), ...unknown]
}

interface Graph {
  readonly slugs: ReadonlyMap<string, string>
  readonly relations: ReadonlyMap<string, readonly Relation[]>
  readonly source: string
}

interface Relation {
  readonly to: string
  readonly type: string
}

function entryOf({ place, value }: GraphItem, { slugs, relations, source }: Graph): Read {
  const name = textIn(value, 'name')
  if (name === undefined) return { place, why: 'the entity has no name' }
  const observations = textsIn(value, 'observations').map((text) => `- ${text.trim().replaceAll('\n', '\n  ')}`)
  const links = (relations.get(name) ?? []).map(({ to, type }) => `- ${type} ${linkTo(to, slugs)}`)
  if (observations.length + links.length === 0) return { place, why: 'the entity has no observations and no relations' }
  const lists = [observations, links].filter((list) => list.length > 0).map((list) => list.join('\n'))
  const type = textIn(value, 'entityType')
  const slug = slugs.get(name)
  return {
    id: `${source}#${name}`,
    kind: 'entity',
    title: name,
    text: [`# ${name}`, ...lists].join('\n\n'),
    tags: type === undefined ? [] : [type],
    writtenBy: 'agent',
    ...(slug === undefined ? {} : { slug }),
  }
}

function linkTo(name: string, slugs: ReadonlyMap<string, string>): string {
  const slug = slugs.get(name)
  return slug === undefined ? name : `[[${slug}|${name.replaceAll(/[[\]|\n]/g, ' ')}]]`
}

/** A file name for each entity. Of two names with the same letters, the second gets a part of its hash. */
function slugsOf(entities: readonly GraphItem[]): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  for (const { value } of entities) {
    const name = textIn(value, 'name')
    if (name === undefined || slugs.has(name)) continue
    const plain = slugFor(name)
    const slug = taken.has(plain) ? `${plain}-${contentHash(name).slice(0, 6)}` : plain
    taken.add(slug)
    slugs.set(name, slug)
  }
  return slugs
}

function relationsOf(items: readonly GraphItem[]): ReadonlyMap<string, readonly Relation[]> {
  const relations = new Map<string, Relation[]>()
  for (const { value } of items) {
    const [from, to, type] = [textIn(value, 'from'), textIn(value, 'to'), textIn(value, 'relationType')]
    if (textIn(value, 'type') !== 'relation' || from === undefined || to === undefined) continue
    const known = relations.get(from) ?? []
    known.push({ to, type: type ?? 'relates to' })
    relations.set(from, known)
  }
  return relations
}
