/** The pictures and documents of a goal. All steps of its plan have the same ones in their input. */
import { type MediaPart, mediaPartSchema } from '@agentm/agent-loop/internal'
import type { HarnessContext } from '@agentm/harness'
import { stepName } from '@agentm/harness/planning'
import { scanAll } from '@agentm/nodes'
import { z } from 'zod'

const withFiles = z.object({ input: z.object({ files: z.array(mediaPartSchema) }) })

export async function filesOfPlan({ store, owner }: HarnessContext, planId: string): Promise<readonly MediaPart[]> {
  const heads = await scanAll(store.log, { owner, parent: planId, concepts: [stepName] })
  for (const { payload, redacted } of heads) {
    const files = redacted ? undefined : withFiles.safeParse(payload).data?.input.files
    if (files !== undefined) return files
  }
  return []
}

export function namesOf(files: readonly MediaPart[]): readonly string[] {
  return files.map(({ name }) => name)
}
