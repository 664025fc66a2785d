/**
 * What checks of one step have left in the log: each round, the protected files as they were, and a result that waits for an
 * answer. All of it is in observations, so that the worker that takes over a step knows what the lost one knew.
 */
import type { Node, NodeLog } from '@agentm/nodes'
import { observationName } from '../pure/concept-names.ts'
import type { Step } from '../step.ts'
import type { FailedCheck } from './pure/check-texts.ts'
import { isSameTry, type TryFacts } from './pure/is-same-try.ts'
import type { ProtectedFiles } from './protected-files.ts'

/** The field `check` in the data of an observation. */
export type CheckRecord =
  | (TryFacts & {
      readonly is: 'round'
      readonly round: number
      readonly passed: boolean
      readonly summary: string
      readonly text: string
    })
  | (TryFacts & { readonly is: 'result'; readonly result: Step['result'] | null } & Asked)
  /** As pairs, because a field that is named like a secret would be masked. */
  | { readonly is: 'protected'; readonly files: readonly (readonly [name: string, fingerprint: string])[] }

/** What a round that waits for an answer goes on from. */
export interface Asked {
  /** The id of the question. */
  readonly question: string
  /** What the judge said before. It is not asked twice. */
  readonly judged?: string
}

export interface CheckRecords {
  /** The rounds of this try that did not pass, oldest first. */
  readonly failed: readonly FailedCheck[]
  /** A result of this try that was not judged yet. */
  readonly waiting: (Asked & { readonly result: Step['result'] }) | undefined
  readonly protected: ProtectedFiles | undefined
}

export interface CheckedStep {
  readonly owner: string
  readonly id: string
  readonly step: Step
  readonly log: Pick<NodeLog, 'scan'>
}

const pageSize = 200

export async function readCheckRecords(of: CheckedStep): Promise<CheckRecords> {
  const records = await recordsOf(of)
  const failed: FailedCheck[] = []
  let waiting: CheckRecords['waiting']
  let files: ProtectedFiles | undefined
  for (const { seq, record } of records) {
    if (record.is === 'protected') files ??= Object.fromEntries(record.files)
    else if (isSameTry(record, of.step)) {
      waiting = record.is === 'result' ? { ...record, result: record.result ?? undefined } : undefined
      if (record.is === 'round' && !record.passed) failed.push({ ...record, seq })
    }
  }
  return { failed, waiting, protected: files }
}

/** Oldest first. */
async function recordsOf({
  owner,
  id,
  log,
}: CheckedStep): Promise<readonly { readonly seq: number; readonly record: CheckRecord }[]> {
  const found: { readonly seq: number; readonly record: CheckRecord }[] = []
  let cursor: string | undefined
  do {
    const query = { owner, concepts: [observationName], parent: id, order: 'newest', limit: pageSize } as const
    const page = await log.scan({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    for (const node of page.nodes) {
      const record = recordOf(node)
      if (record !== undefined) found.unshift({ seq: node.seq, record })
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

/** Only this package writes the field. */
function recordOf({ redacted, payload }: Pick<Node, 'redacted' | 'payload'>): CheckRecord | undefined {
  const { data } = payload
  if (redacted || typeof data !== 'object' || data === null || !('check' in data)) return undefined
  return data.check as CheckRecord
}
