/**
 * `RecallStore` by brute force: it scores every item in scope. Its lexical score is BM25 over plain words. Stores may use other lexical
 * scores, so they are compared by their ranking and not by the number.
 */
import { byRank, dot, type RecallHit, recallScore, type RecallStore, recency, unitVector } from '@agentm/nodes'
import {
  checkVector,
  lexicalTerms,
  lexicalText,
  recallArguments,
  type RecallArguments,
  resolveVector,
  type QueryVector,
} from '@agentm/nodes/store-kit'
import { type MemoryItem, type MemoryState } from './memory-state.ts'

export function memoryRecall(state: MemoryState): RecallStore {
  return {
    async pending({ embedder, owner, limit = 100 }) {
      const waiting = [...state.items.values()]
        .filter((item) => item.vector?.embedder !== embedder && (owner === undefined || item.owner === owner))
        .toSorted((a, b) => a.revision - b.revision)
      const items = waiting
        .slice(0, limit)
        .map(({ id, owner: whose, text, revision }) => ({ id, owner: whose, text, revision }))
      return { items, total: waiting.length }
    },
    async putVectors({ name, dimensions }, vectors) {
      for (const { values } of vectors) checkVector(values, dimensions)
      state.checkDimensions(name, dimensions)
      let stored = 0
      for (const { id, revision, values } of vectors) {
        const item = state.items.get(id)
        if (item?.revision !== revision) continue
        state.items.set(id, { ...item, vector: { embedder: name, unit: unitVector(values) } })
        stored += 1
      }
      return stored
    },
    async recall(query) {
      state.checkOpen()
      const at = query.at ?? state.runtime.now()
      const asked = recallArguments(query, state.concepts, at)
      const vector = await resolveVector(query)
      const scope = [...state.items.values()].filter((item) => isInScope(item, asked))
      return {
        hits: rank(scope, asked, vector, at).slice(0, asked.k),
        pending: vector === undefined ? 0 : scope.filter((item) => item.vector?.embedder !== vector.embedder).length,
        certified: true,
        widened: 0,
        at,
      }
    },
  }
}

function isInScope(item: MemoryItem, { owner, concepts, partitions, status, notBefore }: RecallArguments): boolean {
  return (
    item.owner === owner &&
    (concepts?.includes(item.concept) ?? true) &&
    (partitions?.includes(item.partition) ?? true) &&
    (status === undefined ? item.active : item.status !== undefined && status.includes(item.status)) &&
    (notBefore === undefined || item.createdAt >= notBefore)
  )
}

function rank(scope: readonly MemoryItem[], asked: RecallArguments, vector: QueryVector | undefined, at: number) {
  const words = bm25(scope, lexicalTerms(asked.text))
  const best = Math.max(0, ...words)
  return scope
    .map((item, i): RecallHit => {
      const weights = asked.weightsOf(item.concept)
      const comparable = item.vector !== undefined && item.vector.embedder === vector?.embedder
      const signals = {
        similarity: comparable && vector !== undefined ? dot(item.vector?.unit ?? [], vector.unit) : undefined,
        lexical: best === 0 ? 0 : (words[i] ?? 0) / best,
        recency: recency(item.agesFrom, at, weights.halfLife),
      }
      const { id, concept, partition, status, createdAt, payload, text, version } = item
      const score = recallScore(signals, weights)
      return structuredClone({ id, concept, partition, status, createdAt, payload, text, version, ...signals, score })
    })
    .toSorted(byRank)
}

function bm25(scope: readonly MemoryItem[], terms: readonly (readonly string[])[]): readonly number[] {
  const documents = scope.map(({ text }) => ` ${wordsOf(text).join(' ')} `)
  const phrases = terms.map((phrase) => ` ${phrase.join(' ')} `)
  const average = documents.reduce((sum, document) => sum + document.length, 0) / Math.max(1, documents.length)
  const counts = phrases.map((phrase) => documents.map((document) => document.split(phrase).length - 1))
  return documents.map((document, d) =>
    phrases.reduce((sum, _, p) => {
      const found = counts[p]?.[d] ?? 0
      const holding = counts[p]?.filter((count) => count > 0).length ?? 0
      const rarity = Math.max(1e-6, Math.log((documents.length - holding + 0.5) / (holding + 0.5)))
      return sum + (rarity * found * 2.2) / (found + 1.2 * (0.25 + (0.75 * document.length) / average))
    }, 0),
  )
}

function wordsOf(text: string): readonly string[] {
  return [...lexicalText(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([found]) => found.toLowerCase())
}
