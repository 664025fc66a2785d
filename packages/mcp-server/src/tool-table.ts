/** Every tool of the server. A tool costs each session its schema, so there are five at most, in 6 kB. */
import type { Tool } from './tool.ts'
import { memoryCapture } from './tools/memory-capture.ts'
import { memoryForget } from './tools/memory-forget.ts'
import { memoryRecall } from './tools/memory-recall.ts'
import { memorySave } from './tools/memory-save.ts'
import { stateRead } from './tools/state-read.ts'

export const tools: readonly Tool[] = [memoryRecall, memorySave, memoryCapture, memoryForget, stateRead]
