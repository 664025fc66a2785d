/**
 * How well agents suit a text, by the configured embedder, or by words without one. If the embedder fails, the plan is still
 * made: the rest of the planning compares words, with their own thresholds, and the records say so.
 */
import { type Thresholds, thresholdsOf } from '@agentm/memory/ranking'
import type { Embedder } from '@agentm/nodes'
import type { Agent } from '@agentm/harness'
import { capabilityOf } from './pure/compose-agent.ts'
import type { Fit } from './pure/decide-route.ts'
import { lexicalFit, lexicalName, vectorFit } from './pure/fit.ts'

export interface Candidate {
  readonly id: string
  readonly agent: Pick<Agent, 'name' | 'role' | 'description' | 'domains' | 'tools' | 'embedding'>
}

export interface Fitter {
  /** What compares texts now (the embedder's name, or words), with its thresholds. */
  readonly name: string
  readonly thresholds: Thresholds
  /** Why vectors are no longer used, if they failed. */
  readonly problem: string | undefined
  fits(text: string, candidates: readonly Candidate[]): Promise<readonly Fit[]>
  /** The vector to store with an agent. */
  embeddingOf(agent: Candidate['agent']): Promise<Agent['embedding']>
}

export function openFitter(embedder: Embedder | undefined): Fitter {
  return embedder === undefined ? new WordFitter() : new VectorFitter(embedder)
}

class WordFitter implements Fitter {
  readonly name = lexicalName
  readonly thresholds = thresholdsOf(lexicalName)
  readonly problem = undefined

  async fits(text: string, candidates: readonly Candidate[]): Promise<readonly Fit[]> {
    return candidates.map(({ id, agent }) => ({
      agent: id,
      name: agent.name,
      score: lexicalFit(text, capabilityOf(agent)),
    }))
  }

  async embeddingOf(): Promise<undefined> {
    return undefined
  }
}

class VectorFitter implements Fitter {
  readonly #embedder: Embedder
  readonly #known = new Map<string, ArrayLike<number>>()
  readonly #words = new WordFitter()
  #problem: string | undefined

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  get name(): string {
    return this.#problem === undefined ? this.#embedder.name : this.#words.name
  }

  get thresholds(): Thresholds {
    return thresholdsOf(this.name)
  }

  get problem(): string | undefined {
    return this.#problem
  }

  async fits(text: string, candidates: readonly Candidate[]): Promise<readonly Fit[]> {
    const own = candidates.map(({ agent }) => this.#kept(agent))
    const absent = candidates.flatMap(({ agent }, i) => (own[i] === undefined ? [capabilityOf(agent)] : []))
    if (!(await this.#embed([text, ...absent]))) return this.#words.fits(text, candidates)
    return candidates.map(({ id, agent }, i) => ({
      agent: id,
      name: agent.name,
      score: vectorFit(this.#known.get(text), own[i] ?? this.#known.get(capabilityOf(agent))),
    }))
  }

  async embeddingOf(agent: Candidate['agent']): Promise<Agent['embedding']> {
    const text = capabilityOf(agent)
    if (!(await this.#embed([text]))) return undefined
    const values = this.#known.get(text)
    return values === undefined || !Array.from(values).every((value) => Number.isFinite(value))
      ? undefined
      : { embedder: this.#embedder.name, values: Array.from(values) }
  }

  #kept({ embedding }: Candidate['agent']): ArrayLike<number> | undefined {
    return embedding?.embedder === this.#embedder.name ? embedding.values : undefined
  }

  /** False from the first failure on. */
  async #embed(texts: readonly string[]): Promise<boolean> {
    const asked = [...new Set(texts)].filter((text) => !this.#known.has(text))
    if (this.#problem === undefined && asked.length > 0)
      try {
        const vectors = await this.#embedder.embed(asked)
        for (const [i, text] of asked.entries()) {
          const vector = vectors[i]
          if (vector !== undefined) this.#known.set(text, vector)
        }
      } catch (error) {
        this.#problem = `${this.#embedder.name} failed: ${error instanceof Error ? error.message : String(error)}`
      }
    return this.#problem === undefined
  }
}
