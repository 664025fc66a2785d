import { tell } from './tell.ts'
import { checkpointOf, type OpenLoop } from './open-loop.ts'
import { type Stop, stopText } from './pure/stop.ts'
import type { Question } from '../question.ts'
import type { LoopEnd } from './run-inner-loop.ts'

/** Records the end of the loop before it is returned. */
export async function endLoop(loop: OpenLoop, end: Stop | Question): Promise<LoopEnd> {
  return 'reason' in end ? stopped(loop, end) : asking(loop, end)
}

async function stopped(loop: OpenLoop, stop: Stop): Promise<LoopEnd> {
  const { text: _, ...facts } = stop
  const { iterations } = loop.state
  await tell(loop, { kind: 'note', content: `${stop.reason}: ${stopText(stop)}`, data: { ...facts, iterations } })
  const { messages, spent, tally } = loop.state
  return { ended: 'stopped', stop, messages, iterations, spent, calls: tally }
}

async function asking(loop: OpenLoop, question: Question): Promise<LoopEnd> {
  const { id, text, allowed = [] } = question
  const data = { choice: 'ask', rationale: text, alternatives: allowed, question: id }
  await tell(loop, { kind: 'decision', content: text, data })
  return { ended: 'asking', question, checkpoint: checkpointOf(loop) }
}
