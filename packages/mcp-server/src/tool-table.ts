/**
 * Every tool of the server. A tool costs each session its schema, so there are five at most, in 6 kB. Plans are behind a setting: those
 * three cost 2.5 kB more.
 */
import type { PlansMode } from './plans-port.ts'
import type { Tool } from './tool.ts'
import { memoryCapture } from './tools/memory-capture.ts'
import { memoryForget } from './tools/memory-forget.ts'
import { memoryRecall } from './tools/memory-recall.ts'
import { memorySave } from './tools/memory-save.ts'
import { planChange } from './tools/plan-change.ts'
import { planStart } from './tools/plan-start.ts'
import { planStatus } from './tools/plan-status.ts'
import { stateRead } from './tools/state-read.ts'

const memoryTools: readonly Tool[] = [memoryRecall, memorySave, memoryCapture, memoryForget, stateRead]

export function toolsFor(plans: PlansMode): readonly Tool[] {
  if (plans === 'off') return memoryTools
  return [...memoryTools, planStatus, ...(plans === 'write' ? [planStart, planChange] : [])]
}
