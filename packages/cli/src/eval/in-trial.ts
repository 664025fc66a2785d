/** Notes in a temporary directory, with an index of their own, for as long as a measurement works with them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { MemoryEmbedder } from '@agentm/memory'
import { filePath } from '@agentm/vault-lock'
import type { Workspace } from '@agentm/workspace'
import type { LabelledNote } from './labelled-set.ts'
import { writeNotes } from './write-notes.ts'

export type Trial = Awaited<ReturnType<Workspace['trial']>>

export interface TrialOptions {
  readonly workspace: Pick<Workspace, 'trial'>
  /** Leaves out the embedder. */
  readonly wordsOnly?: boolean
  /** Takes the place of the configured embedder. */
  readonly embedder?: MemoryEmbedder
}

const storeId = 'trial'

/** Everything is removed at the end, also if the work fails. `idOf` gives the id of a note by its key. */
export async function inTrial<T>(
  notes: readonly LabelledNote[],
  { workspace, ...options }: TrialOptions,
  work: (trial: Trial, idOf: ReadonlyMap<string, string>) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-eval-'))
  try {
    const idOf = await writeNotes(notes, { root: path.join(directory, 'notes'), storeId })
    const trial = await workspace.trial({ directory: filePath(directory), storeId, ...options })
    try {
      return await work(trial, idOf)
    } finally {
      await trial.close()
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}
