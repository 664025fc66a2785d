/** The turn of an agent session in a node of the log; `undefined` if it was erased or cannot be read. */
import type { Head } from '@agentm/nodes'
import { sessionTurnSchema } from '../../sessions/session-turn.ts'
import type { LessonTurn } from './lesson.ts'

const readSchema = sessionTurnSchema.pick({
  host: true,
  session: true,
  turn: true,
  startedAt: true,
  asked: true,
  done: true,
  commands: true,
  fixes: true,
  decisions: true,
  isOpen: true,
})

export function lessonTurnOf({ id, payload, redacted, createdAt }: Head): LessonTurn | undefined {
  const read = redacted ? undefined : readSchema.safeParse(payload)
  if (read?.success !== true) return undefined
  const { host, session, startedAt, ...turn } = read.data
  return { ...turn, id, session: `${host}:${session}`, at: Date.parse(startedAt ?? '') || createdAt }
}
