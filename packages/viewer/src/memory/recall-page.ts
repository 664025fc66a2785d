/** A question to memory, answered as `agentm recall --explain` answers it. */
import { redactSecrets } from '@agentm/nodes'
import type { Workspace } from '@agentm/workspace'
import type { Recalled, RecalledResult } from '../contract/memory.ts'
import { excerptOf } from './pure/excerpt.ts'

type Memory = Awaited<ReturnType<Workspace['memory']>>
type MemoryAnswer = Awaited<ReturnType<Memory['recall']>>
type RecallResult = MemoryAnswer['results'][number]
type Explanation = NonNullable<MemoryAnswer['explanation']>

export const recalledKinds = ['note', 'belief', 'episode', 'session'] as const

export interface RecallQuestion {
  readonly text: string
  readonly of: string
  readonly project: string
  readonly kind: string
  /** Whether results that match too little are shown, too. */
  readonly all: boolean
}

const usual = 20

export function recallQuestionOf(query: URLSearchParams): RecallQuestion {
  return {
    text: (query.get('q') ?? '').slice(0, 2_000),
    of: query.get('of') ?? '',
    project: query.get('project') ?? '',
    kind: query.get('kind') ?? '',
    all: query.get('floor') === 'off',
  }
}

export async function recallPage(memory: Memory, { text, of, project, kind, all }: RecallQuestion): Promise<Recalled> {
  const began = performance.now()
  const kindOf = recalledKinds.find((each) => each === of)
  const answer = await memory.recall({
    text,
    usual,
    explain: true,
    ...(kindOf === undefined ? {} : { of: [kindOf] }),
    ...(project === '' ? {} : { project }),
    ...(kind === '' ? {} : { kinds: [kind] }),
    ...(all ? { floor: 'off' as const } : {}),
  })
  const { explanation, leftOut } = answer
  return {
    results: answer.results.map((result) => recalledResult(result, explanation)),
    words: explanation?.words ?? [],
    notes: explanation?.notes ?? 0,
    namesTime: (explanation?.times.length ?? 0) > 0,
    prefersNewer: explanation?.prefersNewer ?? false,
    leftOut: (explanation?.leftOut ?? []).map(leftOutRow),
    belowFloor: leftOut?.belowFloor ?? 0,
    routine: leftOut?.routine ?? 0,
    more: explanation?.more ?? 0,
    notices: noticesOf(answer),
    tookMs: performance.now() - began,
    now: answer.at,
  }
}

function leftOutRow({ key, title, why, probability }: Explanation['leftOut'][number]): Recalled['leftOut'][number] {
  return { ...(key === undefined ? {} : { key }), title: redactSecrets(title), why, probability }
}

function recalledResult(result: RecallResult, explanation: Explanation | undefined): RecalledResult {
  const { id, of, key, title, kind, project, tags, createdAt, writtenBy, score } = result
  const reasons = explanation?.results.find((each) => each.id === id)
  const { similarity, lexical, recency, time, together, probability } = result
  return {
    id,
    of,
    ...(key === undefined ? {} : { key }),
    title: redactSecrets(title),
    kind,
    project,
    tags,
    createdAt,
    ...(writtenBy === undefined ? {} : { writtenBy }),
    ...excerptOf(result.text, result.passage, redactSecrets),
    score,
    parts: {
      probability,
      words: lexical,
      together,
      ...(similarity === undefined ? {} : { meaning: similarity }),
      recency,
      time,
      kindWeight: reasons?.kindWeight ?? 1,
      ...(reasons?.linked === undefined ? {} : { linked: reasons.linked }),
      ...(reasons?.placeBefore === undefined ? {} : { placeBefore: reasons.placeBefore }),
      inPassage: reasons?.inPassage ?? [],
      elsewhere: reasons?.elsewhere ?? [],
      absent: reasons?.absent ?? [],
    },
  }
}

function noticesOf({ freshness }: MemoryAnswer): readonly string[] {
  const { store, notice, pendingVectors, unreadable, conflictCopies } = freshness
  return [
    ...(store === 'behind' ? ['There was not enough time to look at all notes. Ask again.'] : []),
    ...(notice === undefined ? [] : [redactSecrets(notice)]),
    ...(pendingVectors === 0 ? [] : [`${pendingVectors} texts have no vector yet and are found by words only.`]),
    ...(unreadable.length === 0 ? [] : [`${unreadable.length} files cannot be read now.`]),
    ...(conflictCopies.length === 0 ? [] : [`${conflictCopies.length} conflict copies were left out.`]),
  ]
}
