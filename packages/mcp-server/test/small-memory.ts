/** A memory of a map: the port in its smallest honest form. `refuse` makes the next verb refuse. */
import type { MemoryPort } from '@agentm/mcp-server'
import type { RecalledItem } from '../src/memory-port.ts'

export class RefusedError extends Error {
  readonly code = 'SECRET_FOUND'
}

export class SmallMemory implements MemoryPort {
  readonly notes = new Map<string, { title: string; text: string; kind: string }>()
  opened = 0
  closed = 0
  refusal: Error | undefined

  readonly open = async (): Promise<MemoryPort> => {
    this.opened += 1
    return this
  }

  async recall({ text, k }: Parameters<MemoryPort['recall']>[0]): ReturnType<MemoryPort['recall']> {
    this.#refuse()
    const words = text.toLowerCase().split(/\W+/)
    const found = [...this.notes].filter(([, note]) => words.some((word) => note.text.toLowerCase().includes(word)))
    return {
      results: found.slice(0, k).map(([key, note]) => itemOf(key, note)),
      freshness: { store: 'current', pendingVectors: 0 },
    }
  }

  async save({ kind, text, title = text, slug = 'note' }: Parameters<MemoryPort['save']>[0]) {
    this.#refuse()
    const key = `personal/${kind}/${slug}.md`
    const outcome = this.notes.has(key) ? ('reinforced' as const) : ('created' as const)
    this.notes.set(key, { title, text, kind })
    return { outcome, id: `id of ${key}`, key, slug, similar: [] }
  }

  readonly captured: Parameters<MemoryPort['capture']>[0][] = []

  async capture(request: Parameters<MemoryPort['capture']>[0]) {
    this.#refuse()
    this.captured.push(request)
    const { text } = request
    return {
      outcome: 'captured' as const,
      id: 'id',
      key: `personal/_inbox/${text.length}.md`,
      occurrences: 1,
      redacted: ['password'],
    }
  }

  async forget(note: string) {
    this.#refuse()
    return { id: `id of ${note}`, key: note, alreadyForgotten: !this.notes.delete(note) }
  }

  async findNote(key: string) {
    this.#refuse()
    const note = this.notes.get(key)
    return note === undefined ? undefined : { key, ...note, writtenBy: 'agent' as const }
  }

  async listNotes({ after = '', most }: Parameters<MemoryPort['listNotes']>[0]) {
    this.#refuse()
    const keys = [...this.notes.keys()].toSorted().filter((key) => key > after)
    return keys.slice(0, most).map((key) => ({ key, title: this.notes.get(key)?.title ?? '' }))
  }

  async readTrace(plan: string) {
    this.#refuse()
    const known = plan === 'p1'
    const timeline = known ? 'Plan p1\n  status: done\n' : `Plan ${plan}\n\n(no events recorded for this plan)\n`
    return { planId: plan, timeline, complete: known, stepCount: known ? 2 : 0 }
  }

  async readSession(id: string) {
    this.#refuse()
    return { turns: [], timeline: `2026-11-02 09:00  codex session ${id}, records 1 to 4` }
  }

  async readState({ file, plan }: Parameters<MemoryPort['readState']>[0]) {
    this.#refuse()
    const name = plan === undefined ? 'PLAN.md' : `PLAN-${plan}.md`
    return { name, text: file === 'plan' ? '# Plan\n' : undefined, notices: [] }
  }

  async close() {
    this.closed += 1
  }

  #refuse() {
    if (this.refusal !== undefined) throw this.refusal
  }
}

function itemOf(key: string, { title, text, kind }: { title: string; text: string; kind: string }): RecalledItem {
  const why = { similarity: undefined, lexical: 0.5, recency: 1, score: 0.75 }
  const createdAt = Date.UTC(2026, 2, 1)
  return {
    id: `id of ${key}`,
    of: 'note',
    key,
    project: '_global',
    kind,
    title,
    createdAt,
    text,
    passage: undefined,
    writtenBy: 'agent',
    ...why,
  }
}
