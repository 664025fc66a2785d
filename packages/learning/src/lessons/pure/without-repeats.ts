/** What a model found besides the rules: without what the rules found in the same turn, in other words. */
import { stemsOf } from '../../statements/pure/word-likeness.ts'
import type { Lesson } from './lesson.ts'

export function withoutRepeats(byModel: readonly Lesson[], byRules: readonly Lesson[]): readonly Lesson[] {
  return byModel.filter((lesson) => !byRules.some((known) => isRepeat(lesson, known)))
}

const leastShared = 0.5

function isRepeat(lesson: Lesson, known: Lesson): boolean {
  const isSameTurn = lesson.from.some(({ id }) => known.from.some((turn) => turn.id === id))
  if (!isSameTurn) return lesson.kind === known.kind && lesson.statement === known.statement
  const [one, other] = [ownStems(lesson), ownStems(known)]
  const shared = [...one].filter((stem) => other.has(stem)).length
  return shared >= Math.min(one.size, other.size) * leastShared
}

function ownStems({ statement }: Lesson): ReadonlySet<string> {
  return new Set([...stemsOf(statement)].filter((stem) => !ofFrame.has(stem)))
}

// What the rules and models say around the words of the person.
const ofFrame = stemsOf(
  'The person said wants prefers decided here where an agent command works did not object project',
)
