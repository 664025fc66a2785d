import type { HealthPage } from '../../src/contract/health.ts'
import { useNow } from '../clock.ts'
import { agoWords, countWords, shortId } from '../pure/words.ts'
import { planAddress } from '../router.ts'
import { CopyCommand } from '../views/copy-command.tsx'

/** Steps that failed permanently, newest first, with the way to send each again. */
export function DeadLetters({ page }: { readonly page: HealthPage }) {
  const now = useNow()
  const { deadLetters, deadLetterRows } = page
  const left = deadLetters.count - deadLetterRows.length
  return (
    <section class="card" aria-labelledby="letters-title">
      <h2 id="letters-title">
        Dead letters <span class="chip-count">{countWords(deadLetters.count)}</span>
      </h2>
      <ul class="letters">
        {deadLetterRows.map(({ planId, stepId, title, errorMessage, at }) => (
          <li key={stepId}>
            <a href={planAddress(planId, 'timeline', stepId)}>{title}</a>
            <p class="plan-error">{errorMessage}</p>
            <p class="meta">
              <span>{agoWords(at, now)}</span>
              <CopyCommand words={`retry ${shortId(stepId)}`} label="To retry it" />
            </p>
          </li>
        ))}
      </ul>
      {left > 0 && <p class="meta">and {countWords(left)} more</p>}
    </section>
  )
}
