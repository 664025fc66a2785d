/** What was learned from a session, with the way to it. */
import type { LearnedRow } from '../../src/contract/sessions.ts'
import { countWords } from '../pure/words.ts'

export function LearnedPart({ learned }: { readonly learned: readonly LearnedRow[] }) {
  if (learned.length === 0) return null
  return (
    <section class="learned" aria-labelledby="learned-title">
      <h2 id="learned-title">
        What was learned from it <span class="chip-count">{countWords(learned.length)}</span>
      </h2>
      <ul>
        {learned.map(({ id, kind, statement, status, note, turns }) => (
          <li key={id}>
            <span class="tag">{kind}</span>
            <a href={`/beliefs/${encodeURIComponent(id)}`}>{statement}</a>
            <span class="meta">
              <span>{turns.length === 1 ? `turn ${turns[0]}` : `turns ${turns.slice(0, 5).join(', ')}`}</span>
              {note === undefined ? (
                <span>{statusWords[status] ?? status}</span>
              ) : (
                <a href={`/memory/note/${encodeURIComponent(note)}`}>kept as a note</a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const statusWords: Readonly<Record<string, string>> = {
  waiting: 'waits for your decision',
  accepted: 'accepted',
  replaced: 'replaced by a newer statement',
  rejected: 'rejected',
}
