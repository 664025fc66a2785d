/** What is compared with known beliefs: of several lessons about one thing the newest, each with few sources that stay the same. */
import type { Statement } from '../../beliefs/pure/decide-belief.ts'
import type { Lesson, LessonTurn } from './lesson.ts'

/** Oldest first, so that a newer statement is compared with what the older ones became. */
export function statementsOf(lessons: readonly Lesson[]): readonly Omit<Statement, 'contradicts'>[] {
  return [...newestOfSubjects(lessons)]
    .map(statementOf)
    .toSorted((a, b) => a.evidenceAt - b.evidenceAt || (a.content < b.content ? -1 : 1))
}

function newestOfSubjects(lessons: readonly Lesson[]): readonly Lesson[] {
  const newest = new Map<string, Lesson>()
  const others: Lesson[] = []
  for (const lesson of lessons) {
    if (lesson.subject === undefined) {
      others.push(lesson)
      continue
    }
    const known = newest.get(lesson.subject)
    if (known?.statement === lesson.statement)
      newest.set(lesson.subject, { ...lesson, from: [...known.from, ...lesson.from] })
    else if (known === undefined || lastOf(known) <= lastOf(lesson)) newest.set(lesson.subject, lesson)
  }
  return [...newest.values(), ...others]
}

function lastOf({ from }: Lesson): number {
  return Math.max(...from.map(({ at }) => at))
}

const mostSources = 8

function statementOf({ belief, statement, confidence, kind, subject, from }: Lesson): Omit<Statement, 'contradicts'> {
  const times = from.map(({ at }) => at)
  return {
    kind: belief,
    content: statement,
    confidence,
    sources: firstOfSessions(from).map(({ id }) => id),
    evidenceFrom: Math.min(...times),
    evidenceAt: Math.max(...times),
    lesson: { kind, ...(subject === undefined ? {} : { subject }) },
  }
}

/** A command that is run every day needs no thousand sources. The oldest ones stay the same when newer ones come. */
function firstOfSessions(turns: readonly LessonTurn[]): readonly LessonTurn[] {
  const first = new Map<string, LessonTurn>()
  for (const turn of turns.toSorted((a, b) => a.at - b.at || a.turn - b.turn))
    if (!first.has(turn.session)) first.set(turn.session, turn)
  const all = first.size >= 2 ? [...first.values()] : [...new Set(turns)]
  return all.slice(0, mostSources)
}
