/** Makes a note of what was learned from agent sessions. The note names the turns it comes from. */
import type { Memory } from '@agentm/memory'
import { oneLine } from '@agentm/memory/shown'
import { LessonRefusedError } from '../learning-errors.ts'
import type { LearnedLesson, LearnedShelf } from './learned-shelf.ts'

/** Where the note goes. */
export interface AcceptingLesson {
  readonly shelf: Pick<LearnedShelf, 'accept'>
  readonly memory: Pick<Memory, 'save'>
  /** The project of the directory; absent if it belongs to none. */
  readonly project: string | undefined
}

/** Refuses a lesson of another project: a note goes into the project of the directory. */
export function checkLessonProject({ partition, id }: LearnedLesson, project: string | undefined): void {
  if (partition === (project ?? '_global') || partition === '_global') return
  throw new LessonRefusedError(
    `${shortOf(id)} belongs to the project ${oneLine(partition)}. Accept it in a checkout of that project`,
  )
}

/** Saves the note, then marks the lesson as accepted. A second try after a crash finds the note that the first one made. */
export async function acceptLesson(
  lesson: LearnedLesson,
  { shelf, memory, project }: AcceptingLesson,
): Promise<{ readonly id: string; readonly note: string }> {
  checkLessonProject(lesson, project)
  const { key } = await memory.save({
    kind: noteKinds[lesson.kind],
    text: noteTextOf(lesson),
    title: titleOf(lesson),
    tags: ['learned'],
    scope: lesson.partition === '_global' ? 'personal' : 'project',
    idempotencyKey: `lesson ${lesson.id}`,
    by: 'person',
  })
  await shelf.accept(lesson.id, key)
  return { id: lesson.id, note: key }
}

const noteKinds = {
  correction: 'preference',
  convention: 'convention',
  command: 'workflow',
  fix: 'fix',
  decision: 'decision',
  place: 'reference',
} as const

const [mostTitle, shortId] = [80, 10]

function titleOf({ statement }: LearnedLesson): string {
  const text = oneLine(statement)
  return text.length <= mostTitle ? text : `${text.slice(0, mostTitle - 1).trimEnd()}…`
}

function noteTextOf({ statement, evidence, isEdited }: LearnedLesson): string {
  const from = evidence.flatMap(({ seen, turn }) =>
    seen === undefined
      ? []
      : [`- ${seen.host} session ${seen.session}, turn ${seen.number}, ${seen.at.slice(0, 10)} (agentm:${turn})`],
  )
  const how = isEdited ? 'Learned from agent sessions, worded by a person:' : 'Learned from agent sessions:'
  return [statement, ...(from.length === 0 ? [] : ['', how, '', ...from])].join('\n')
}

function shortOf(id: string): string {
  return (id.split(':').at(-1) ?? id).slice(0, shortId)
}
