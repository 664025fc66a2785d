/** Decided appends as statements that answer the numbers of what they wrote. Texts are made once: the server knows them by name. */
import type { ConceptSet } from '@agentm/nodes'
import type { Statement } from './database.ts'
import type { Embedders } from './embedders.ts'
import { appendArguments, type DecidedAppend } from './pure/append-arguments.ts'
import { newNodes, type NewNodesShape, newNodesText } from './pure/new-nodes.ts'

export interface WrittenRow {
  readonly written: readonly number[] | null
}

export class AppendStatements {
  readonly #schema: string
  readonly #concepts: ConceptSet
  readonly #embedders: Embedders
  #text: string | undefined
  readonly #newNodesTexts = new Map<string, string>()

  constructor(schema: string, concepts: ConceptSet, embedders: Embedders) {
    this.#schema = schema
    this.#concepts = concepts
    this.#embedders = embedders
  }

  /** The shortest way for what it writes. */
  of(decided: DecidedAppend): Statement {
    const fresh = newNodes(decided, this.#concepts, this.#embedders.type.oid)
    return fresh === undefined ? this.call(decided) : { text: this.#newNodesText(fresh.shape), values: fresh.values }
  }

  /** One call of a function, which others may follow in the same statement. */
  call(decided: DecidedAppend): Statement {
    const { oid, name } = this.#embedders.type
    const values = appendArguments(decided, this.#concepts, oid)
    const places = values.map((_, i) => `$${i + 1}`)
    this.#text ??= `select ${this.#schema}.append(${places.join(', ')}::${name}[]) as written`
    return { text: this.#text, values }
  }

  #newNodesText(shape: NewNodesShape): string {
    const key = JSON.stringify(shape)
    const text = this.#newNodesTexts.get(key) ?? newNodesText(this.#schema, shape, this.#embedders.type.name)
    this.#newNodesTexts.set(key, text)
    return text
  }
}

/** A change made in the same statement; its places begin after those of the append. */
export function withChange(
  { text, values = [] }: Statement,
  also: ((from: number) => Statement) | undefined,
): Statement {
  if (also === undefined) return { text, values }
  const change = also(values.length)
  return { text: `with also as (${change.text}) ${text}`, values: [...values, ...(change.values ?? [])] }
}
