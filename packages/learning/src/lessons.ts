/** What is learned from agent sessions, and waits for a person to decide about it. */
export { acceptLesson, type AcceptingLesson, checkLessonProject } from './lessons/accept-lesson.ts'
export {
  type LearnedLesson,
  type LearnedShelf,
  learnedShelf,
  type LearnedShelfOptions,
  type LessonEvidence,
} from './lessons/learned-shelf.ts'
export { learnFromSessions, type LessonOptions } from './lessons/learn-from-sessions.ts'
export type { LessonExplained, LessonReport, LessonRequest } from './lessons/lesson-report.ts'
export type { LessonKind } from './lessons/pure/lesson.ts'
