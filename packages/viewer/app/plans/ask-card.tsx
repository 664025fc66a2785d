/** A question that waits for a person. With `--write` it can be answered here; otherwise the card names the command. */
import { useRef } from 'preact/hooks'
import type { Ask } from '../../src/contract/plans.ts'
import { about } from '../about.ts'
import { useNow } from '../clock.ts'
import { agoWords, shortId, spanWords } from '../pure/words.ts'
import { planAddress } from '../router.ts'
import { makeChange } from '../views/confirm.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { StatusMark } from '../views/icons.tsx'
import { Value } from '../views/value.tsx'

export function AskCard({ ask, hasLink = true }: { readonly ask: Ask; readonly hasLink?: boolean }) {
  const now = useNow()
  const { canWrite } = about.value
  const give = (value: string) =>
    void makeChange('plans', { do: 'answer', stepId: ask.stepId, questionId: ask.questionId, value })
  return (
    <article class="ask">
      <StatusMark status="asks" />
      <div class="ask-body">
        <h3>
          {hasLink ? <a href={planAddress(ask.planId, 'timeline', ask.stepId)}>{ask.title}</a> : 'A question for you'}
        </h3>
        <p class="ask-text">{ask.text}</p>
        {ask.about !== undefined && (
          <details>
            <summary>What it is about</summary>
            <Value value={ask.about} />
          </details>
        )}
        <p class="meta">
          Asked {agoWords(ask.since, now)}
          {ask.deadline !== undefined &&
            ` · ${ask.deadline > now ? `${spanWords(ask.deadline - now)} left` : 'overdue'}`}
        </p>
        {canWrite && <Answers ask={ask} give={give} />}
        {!canWrite && (
          <CopyCommand
            words={`approve ${shortId(ask.stepId)} --answer ${ask.allowed?.[0] ?? 'TEXT'}`}
            label="Copy the command that answers"
          />
        )}
      </div>
    </article>
  )
}

function Answers({ ask, give }: { readonly ask: Ask; readonly give: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  if (ask.allowed !== undefined)
    return (
      <div class="buttons is-left">
        {ask.allowed.map((value, i) => (
          <button key={value} type="button" class={i === 0 ? 'button is-main' : 'button'} onClick={() => give(value)}>
            {value}
          </button>
        ))}
      </div>
    )
  const submit = (event: Event) => {
    event.preventDefault()
    const value = input.current?.value.trim() ?? ''
    if (value !== '') give(value)
  }
  return (
    <form class="answer" onSubmit={submit}>
      <input
        ref={input}
        type="text"
        aria-label={`Your answer to: ${ask.text}`}
        placeholder="Your answer"
        maxLength={9_000}
      />
      <button type="submit" class="button is-main">
        Answer
      </button>
    </form>
  )
}
