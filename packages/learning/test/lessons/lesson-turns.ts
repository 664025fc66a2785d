/** Turns of agent sessions for tests, from what matters in each. */
import type { LessonTurn } from '../../src/lessons/pure/lesson.ts'

export type Given = Partial<Omit<LessonTurn, 'commands'>> & {
  /** "npm test => 1 | the error" */
  readonly ran?: readonly string[]
}

const start = Date.UTC(2026, 8, 1, 9)

export function lessonTurns(...given: readonly (Given | string)[]): readonly LessonTurn[] {
  const numbers = new Map<string, number>()
  return given.map((each, i) => {
    const { ran = [], ...fields }: Given = typeof each === 'string' ? { asked: each } : each
    const session = fields.session ?? 'claude-code:s1'
    const turn = (numbers.get(session) ?? 0) + 1
    numbers.set(session, turn)
    const at = start + i * 60_000
    return { id: `v1:sessions:turn:t${i + 1}`, asked: '', turn, at, ...fields, session, commands: ran.map(commandIn) }
  })
}

function commandIn(line: string, record: number) {
  const [command = '', rest = '0'] = line.split(' => ')
  const [code = '0', error] = rest.split(' | ')
  return { command, exitCode: Number(code), failed: code !== '0', record, ...(error === undefined ? {} : { error }) }
}

/** Long after the turns, so that their sessions are over. */
export const muchLater = start + 365 * 86_400_000
