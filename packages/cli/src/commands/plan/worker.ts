/** A process that runs the steps of all plans until it is stopped. */
import { isFinalFault, type RunReport } from '@agentm/harness'
import { ownKindNames } from '@agentm/harness/control'
import type { MetricsServer } from '@agentm/telemetry/metrics'
import { type Call, type Command, UsageError } from '../../command.ts'
import { endSignal } from '../../end-signal.ts'
import { type LogEvent, logOption, tell } from '../../log-terminal.ts'
import { outcomeText } from '../consolidate.ts'
import { shortId } from './pure/short-id.ts'
import { keepEmbedding } from './keep-embedding.ts'
import { oneLine } from './pure/state-text.ts'
import { countOption, secondsOption } from '../number-options.ts'
import { listenOption, type ListenPlace } from './worker-options.ts'
import { withPlans } from './with-plans.ts'

export const worker: Command = {
  summary: 'run the steps of all plans until stopped',
  details:
    'Any number of workers can share one log. If a worker dies, another one takes over its steps. A worker runs steps of the owners in ' +
    'harness.owners (default: yourself) and of the kinds in harness.kinds (default: agent and approval). On Ctrl-C or SIGTERM it starts no ' +
    'more steps, waits for running steps (--grace), and hands unfinished ones back; a second Ctrl-C ends it at once. Every night, at ' +
    'consolidation.at in consolidation.timeZone, it also runs agentm consolidate.',
  options: {
    slots: { value: 'N', help: 'how many steps run at once (default: 4)' },
    grace: { value: 'SECONDS', help: 'how long running steps may finish when you stop the worker (default: 5)' },
    metrics: {
      value: '[HOST:]PORT',
      help: 'serve metrics for Prometheus at http://127.0.0.1:PORT/metrics; 0 takes a free port',
    },
    log: logOption,
    once: { help: 'end when no step can be run now' },
    cwd: { value: 'DIR', help: 'the directory of steps that name none (default: this directory)' },
  },
  isObserved: true,
  async run(call) {
    const metricsAt = listenOption(call, 'metrics')
    const graceMs = secondsOption(call, 'grace', 5) * 1000
    const slots = countOption(call, 'slots')
    // Before the workspace is opened: what it opens is observed from its beginning.
    const metrics = metricsAt === undefined ? undefined : await openMetrics(call, metricsAt)
    return withPlans(call, async (opened) => {
      const over = new AbortController()
      const signal = AbortSignal.any([endSignal(), over.signal])
      const say = (text: string, facts: Pick<LogEvent, 'level'> & { readonly event: string } = { event: 'note' }) =>
        tell(call.terminal, { ...facts, message: oneLine(text) })
      const ended: Record<string, number> = {}
      const started = await opened.startWorker({
        ...(slots !== undefined && { slots }),
        onError(error) {
          // An error that ends the worker also ends the command, which prints it.
          if (!isFinalFault(error))
            say(error instanceof Error ? error.message : String(error), { level: 'error', event: 'worker.error' })
        },
        onRun(report) {
          ended[report.ended] = (ended[report.ended] ?? 0) + 1
          if (!call.json || call.terminal.event !== undefined) tell(call.terminal, runEvent(report))
        },
      })
      const names = (await opened.stepKinds()).map(({ name }) => name).filter((name) => !ownKindNames.includes(name))
      say(`Worker ${process.pid} runs ${names.join(', ') || 'nothing'} for ${opened.policy.owners.join(', ')}.`, {
        event: 'worker.started',
      })
      if (metrics !== undefined) say(`Metrics are at ${metrics.url}`, { event: 'metrics.started' })
      const learning = call.has('once') ? Promise.resolve() : keepLearning(call, signal, say)
      const stopped = new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      const workspace = await call.workspace()
      const embedding = keepEmbedding({ workspace, say, signal })
      try {
        await Promise.race([stopped, started.ended, ...(call.has('once') ? [started.idle()] : [])])
      } finally {
        await started.stop({ graceMs })
        over.abort()
        await embedding
        await learning
        await metrics?.close()
      }
      const told = Object.entries(ended).map(([how, count]) => `${count} ${how}`)
      return { text: `Stopped. Steps: ${told.join(', ') || 'none'}.`, data: { ended } }
    })
  },
}

/** Learns every night. If that fails, the worker still runs steps. */
async function keepLearning(call: Call, signal: AbortSignal, say: (text: string) => void): Promise<void> {
  try {
    await learn(call, signal, say)
  } catch (error) {
    say(`This worker learns no beliefs, because of an error: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function learn(call: Call, signal: AbortSignal, say: (text: string) => void): Promise<void> {
  const learning = await (await call.workspace()).learning()
  await learning.keepSchedule({
    signal,
    onOutcome(outcome) {
      if (outcome.report.outcome !== 'done') return
      for (const text of [outcomeText(outcome, call), ...outcome.notices]) say(text)
    },
    onError: (error, owner) => say(`${owner}: ${error instanceof Error ? error.message : String(error)}`),
  })
}

async function openMetrics(call: Call, place: ListenPlace): Promise<MetricsServer> {
  const telemetry = await call.telemetry.open({ pull: true })
  const { serveMetrics } = await import('@agentm/telemetry/metrics')
  try {
    return await serveMetrics(async () => (await telemetry?.metricsText()) ?? '', place)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw new UsageError(
      `another program uses port ${place.port}. Choose another one for --metrics; 0 takes a free one.`,
    )
  }
}

function runEvent({ claim, ended }: RunReport): LogEvent {
  const { id, payload, version } = claim.step
  const { title, planId, kind = 'agent', attempt, session } = payload
  return {
    level: ended === 'failed' ? 'warn' : 'info',
    event: `step.${ended}`,
    message: oneLine(`${ended.padEnd(8)} ${title}  ${shortId(planId)} ${shortId(id)}`),
    plan: planId,
    step: id,
    kind,
    attempt,
    version,
    worker: session,
  }
}
