/** A process that runs steps of every plan, until it is told to end. */
import { isFinalFault, type RunReport } from '@agentm/harness'
import type { Call, Command } from '../../command.ts'
import { endSignal } from '../../end-signal.ts'
import { outcomeText } from '../consolidate.ts'
import { shortId } from './pure/short-id.ts'
import { keepEmbedding } from './keep-embedding.ts'
import { oneLine } from './pure/state-text.ts'
import { secondsOption, slotsOption } from './worker-options.ts'
import { withPlans } from './with-plans.ts'

export const worker: Command = {
  summary: 'run steps of all plans until it is stopped',
  details:
    'Any number of workers share a log; what one leaves behind when it dies, the others take over. It takes steps of the owners\n' +
    'in harness.owners (otherwise your own) and runs the kinds in harness.kinds (otherwise agent and approval). Ctrl-C or\n' +
    'SIGTERM: it takes nothing more, gives running steps their grace, and hands back the rest. A second time ends it at once.\n' +
    'Every night, at consolidation.at in consolidation.timeZone, it also learns from what happened (agentm consolidate).',
  options: {
    slots: { value: 'N', help: 'steps at once in this process; 4 where absent' },
    grace: { value: 'SECONDS', help: 'what running steps get to end when it is stopped; 5 where absent' },
    once: { help: 'end as soon as nothing is left that can be done now' },
    cwd: { value: 'DIR', help: 'where steps run that do not say; otherwise this directory' },
  },
  run(call) {
    const graceMs = secondsOption(call, 'grace', 5) * 1000
    const slots = slotsOption(call)
    return withPlans(call, async (opened) => {
      const over = new AbortController()
      const signal = AbortSignal.any([endSignal(), over.signal])
      const say = (text: string) => call.terminal.err(`${oneLine(text)}\n`)
      const ended: Record<string, number> = {}
      const started = await opened.startWorker({
        ...(slots !== undefined && { slots }),
        onError(error) {
          // What ends the worker ends the command, which says it.
          if (!isFinalFault(error)) say(error instanceof Error ? error.message : String(error))
        },
        onRun(report) {
          ended[report.ended] = (ended[report.ended] ?? 0) + 1
          if (!call.json) say(runText(report))
        },
      })
      const names = (await opened.stepKinds()).map(({ name }) => name)
      say(`Worker ${process.pid} runs ${names.join(', ') || 'nothing'} for ${opened.policy.owners.join(', ')}.`)
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
      }
      const told = Object.entries(ended).map(([how, count]) => `${count} ${how}`)
      return { text: `Stopped. Steps: ${told.join(', ') || 'none'}.`, data: { ended } }
    })
  },
}

/** Consolidation at its time, beside the steps. Steps go on where it cannot be had. */
async function keepLearning(call: Call, signal: AbortSignal, say: (text: string) => void): Promise<void> {
  try {
    await learn(call, signal, say)
  } catch (error) {
    say(`Nothing is learned here: ${error instanceof Error ? error.message : String(error)}`)
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

function runText({ claim, ended }: RunReport): string {
  const { id, payload } = claim.step
  return `${ended.padEnd(8)} ${payload.title}  ${shortId(payload.planId)} ${shortId(id)}`
}
