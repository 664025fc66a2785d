import { redactSecrets } from '@agentm/nodes'
import { workersOf } from '@agentm/workspace/health'
import type { PlansReader, WorkspaceReader } from '@agentm/workspace/reader'
import type { CountUpTo, DeadLetterRow, HealthPage, LogFacts } from '../contract/health.ts'
import { short } from '../pure/short.ts'
import { shownText } from '../pure/shown-value.ts'
import type { Log } from './log.ts'
import type { LogGrowth } from './log-growth.ts'
import { lastDays } from './pure/last-days.ts'

const mostCounted = 500
const mostLetters = 20
const shownDays = 14
const none: CountUpTo = { count: 0, isMore: false }

/** What is alive and what waits. `offsetMinutes` is that of the reader's clock, so that a day is a day to them. */
export async function healthPage(
  reader: WorkspaceReader,
  plans: PlansReader | undefined,
  { growth, offsetMinutes }: { readonly growth: LogGrowth; readonly offsetMinutes: number },
): Promise<HealthPage> {
  const log = await reader.log()
  if (plans === undefined || log === undefined)
    return {
      workers: [],
      steps: { ready: none, running: none, blocked: none },
      deadLetters: none,
      deadLetterRows: [],
      now: Date.now(),
    }
  const { work, owner } = plans
  const now = await work.now()
  const count = async (status: string) => stepsIn(plans, status)
  const [sessions, ready, running, blocked, letters, facts, days] = await Promise.all([
    work.sessions(),
    count('ready'),
    count('running'),
    count('blocked'),
    plans.harness.deadLetters(),
    logFacts(reader, log),
    growth.days(log, owner, lastDays(now, { count: shownDays, offsetMinutes })),
  ])
  return {
    workers: workersOf(sessions, { owner, now }).slice(0, 100),
    log: { ...facts, days },
    steps: { ready, running, blocked },
    deadLetters: { count: letters.length, isMore: false },
    deadLetterRows: letters.toReversed().slice(0, mostLetters).map(letterRow),
    now,
  }
}

async function stepsIn({ log, owner }: PlansReader, status: string): Promise<CountUpTo> {
  const page = await log.scan({ owner, concepts: ['v1:harness:step'], status, limit: mostCounted })
  return { count: page.nodes.length, isMore: page.cursor !== undefined }
}

async function logFacts(reader: WorkspaceReader, log: Log): Promise<Omit<LogFacts, 'days'>> {
  const [place, size] = [await reader.logPlace(), await log.size()]
  const { versions, heads: nodes, recallItems: texts, bytes } = size
  return { place, versions, nodes, texts, bytes }
}

function letterRow({
  planId,
  stepId,
  title,
  errorMessage,
  since,
}: Awaited<ReturnType<PlansReader['harness']['deadLetters']>>[number]): DeadLetterRow {
  return {
    planId: short(planId),
    stepId: short(stepId),
    title: redactSecrets(title),
    errorMessage: shownText(redactSecrets(errorMessage), 500),
    at: since,
  }
}
