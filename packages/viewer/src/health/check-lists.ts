import { redactSecrets } from '@agentm/nodes'
import { type HealthRow, quickCheckUp, slowCheckUp } from '@agentm/workspace/health'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import type { CheckList, CheckRow } from '../contract/health.ts'
import { shownText } from '../pure/shown-value.ts'

/** What takes a moment. */
export async function quickChecks(reader: WorkspaceReader): Promise<CheckList> {
  const checks = (await quickCheckUp(reader)).map(checkRow)
  // A log that cannot be read has a check of its own.
  const waiting = await reader
    .owner()
    .then((owner) => reader.learned(owner))
    .then((learned) => learned?.list())
    .catch(() => undefined)
  return { checks, ...(waiting !== undefined && { learned: waiting.length }) }
}

/** What takes longer, and is therefore asked for by hand. */
export async function slowChecks(reader: WorkspaceReader): Promise<CheckList> {
  return { checks: (await slowCheckUp(reader)).map(checkRow) }
}

function checkRow({ name, status, text, help = [] }: HealthRow): CheckRow {
  return { name, status, text: shownText(redactSecrets(text), 2_000), help }
}
