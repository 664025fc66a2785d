/**
 * Learns from the new turns of agent sessions. It opens no embedder and, unless tokens for it are configured, no model, so that it can
 * run at the end of each capture.
 */
import { hostname } from 'node:os'
import { learnFromSessions, type LessonReport, type LessonRequest } from '@agentm/learning/lessons'
import { settings } from '@agentm/settings'
import { configuredModel } from './configured-model.ts'
import { consolidationSettings } from './consolidation-config.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

/** How long it may take. */
export interface LessonBudget {
  /** Stop after this time; the rest waits for the next call (default: no limit). */
  readonly budgetMs?: number
  readonly signal?: AbortSignal
}

export async function learnLessons(
  parts: WorkspaceParts,
  { owner, signal, ...request }: LessonBudget & Pick<LessonRequest, 'owner'>,
): Promise<LessonReport> {
  const config = await parts.config()
  const name = 'learning.sessions.tokensPerDay'
  const tokensPerDay = config.values[name] ?? settings[name].default
  const options = {
    store: await parts.log(),
    settings: consolidationSettings(config),
    facts: { host: hostname(), pid: `${process.pid}` },
    ...(signal === undefined ? {} : { signal }),
  }
  const configured = tokensPerDay > 0 ? await configuredModel(config, parts.world, 'learning') : undefined
  if (configured === undefined) return learnFromSessions(options, { owner, ...request })
  const { askStructured } = await import('@agentm/agent-loop/models')
  return learnFromSessions(
    { ...options, tokensPerDay, ask: async (question) => askStructured(configured.model, question) },
    { owner, ...request },
  )
}
