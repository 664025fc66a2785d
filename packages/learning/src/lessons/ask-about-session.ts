/**
 * Asks a model about one agent session, within the tokens of the day. What the question may cost is set aside in the log before it is
 * asked. The answer is checked like that of a stranger: what it says must be in the words of the turns that it names.
 */
import type { Claim } from '../consolidation/claim-cursor.ts'
import type { AskModel } from '../distillers/ask-model.ts'
import { addSpent, type DistillUsage, nothingSpent, type Spent, withUsage } from '../distillers/pure/spent.ts'
import { booked, type DayTokens, onDay, setAside, tokensOf } from './pure/day-tokens.ts'
import type { Lesson, LessonTurn } from './pure/lesson.ts'
import { lessonAnswerSchema, lessonOfAnswer } from './pure/lesson-of-answer.ts'
import { lessonsPrompt } from './pure/lessons-prompt.ts'

/** What the model may still cost, and what it has cost. It is changed by each question. */
export interface ModelBudget {
  readonly tokensPerDay: number
  used: DayTokens
  spent: Spent
  /** What learning had cost before this run. */
  spentBefore?: Spent
  /** Why a question was not asked, or not answered. */
  unasked?: string
}

export interface AskingWorld {
  readonly ask: AskModel
  readonly claim: Claim
  readonly budget: ModelBudget
  readonly now: number
  /** The ids of the turns that no question was about yet. */
  readonly ids: ReadonlySet<string>
}

const mostOutput = 1500

export async function askAboutSession(session: readonly LessonTurn[], world: AskingWorld): Promise<readonly Lesson[]> {
  const turns = askedAbout(session, world.ids)
  const messages = lessonsPrompt(turns)
  const aside = messages.reduce((sum, { text }) => sum + tokensOf(text), mostOutput)
  const { budget, claim } = world
  const used = setAside(onDay(budget.used, world.now), aside, budget.tokensPerDay)
  if (used === undefined) {
    budget.unasked = 'the tokens of this day are used up'
    return []
  }
  budget.used = used
  await claim.append([], { progress: { sessionTokens: used } })
  let spent = nothingSpent
  const onUsage = (usage: DistillUsage) => {
    spent = withUsage(spent, usage)
  }
  const answer = await answerOf(world, { messages, onUsage })
  // Without a report of what it cost, it cost what was set aside.
  budget.used = spent.tokens === 0 ? used : booked(used, { aside, spent: spent.tokens })
  budget.spent = addSpent(budget.spent, spent)
  const inAll = addSpent(budget.spentBefore ?? nothingSpent, budget.spent)
  await claim.append([], { progress: { sessionTokens: budget.used, spent: inAll } })
  return answer.flatMap((each) => lessonOfAnswer(each, { turns, session }) ?? [])
}

// Earlier turns that help to understand a new one, and the most turns in one question.
const [beforeNew, mostAsked] = [2, 30]

function askedAbout(session: readonly LessonTurn[], ids: ReadonlySet<string>): readonly LessonTurn[] {
  const first = session.findIndex(({ id }) => ids.has(id))
  return session.slice(Math.max(0, first - beforeNew)).slice(-mostAsked)
}

type Question = Pick<Parameters<AskModel>[0], 'messages' | 'onUsage'>

async function answerOf({ ask, claim, budget }: AskingWorld, question: Question) {
  try {
    const answer = await ask({
      ...question,
      schema: lessonAnswerSchema,
      name: 'lessons',
      maxOutputTokens: mostOutput,
      signal: claim.signal,
    })
    if (answer.ok) return answer.value.lessons
    budget.unasked = `the answer of the model was refused: ${answer.problem}`
  } catch (error) {
    claim.signal.throwIfAborted()
    budget.unasked = `the model did not answer: ${error instanceof Error ? error.message : String(error)}`
  }
  return []
}
