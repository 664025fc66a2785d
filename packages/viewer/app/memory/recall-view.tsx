/** What memory answers, with the reasons: every part of the score as a bar, and in words. */
import type { Recalled, RecalledResult } from '../../src/contract/memory.ts'
import { useFresh } from '../fresh.ts'
import { countOf, spanWords } from '../pure/words.ts'
import { query, setQuery } from '../router.ts'
import { Bar } from '../views/bars.tsx'
import { Empty } from '../views/empty.tsx'
import { noteAddress } from './addresses.ts'
import { recallQuery } from './pure/list-query.ts'
import { dayWords } from './dates.ts'
import { authorWords, byLikelihood, likelyWords, partsInWords, projectWords, rarityWords } from './pure/note-words.ts'

const kinds = [
  ['', 'Everything'],
  ['note', 'Notes'],
  ['belief', 'Beliefs'],
  ['episode', 'Past work'],
  ['session', 'Agent sessions'],
] as const

export function RecallView() {
  const { answer, error, isOld } = useFresh<Recalled>(`/api/recall?${recallQuery(query.value)}`)
  const of = query.value.get('of') ?? ''
  return (
    <>
      <div class="chips recall-of" role="group" aria-label="Look among">
        {kinds.map(([value, words]) => (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={of === value}
            onClick={() => setQuery('of', value)}
          >
            {words}
          </button>
        ))}
      </div>
      {error !== undefined && <p class="banner is-failed">{error.message}</p>}
      {answer === undefined ? <p class="meta">Looking…</p> : <Answer answer={answer} isOld={isOld} />}
    </>
  )
}

function Answer({ answer, isOld }: { readonly answer: Recalled; readonly isOld: boolean }) {
  const { results, notices, tookMs } = answer
  const { likely, unlikely } = byLikelihood(results)
  return (
    <section class={isOld ? 'recalled is-old' : 'recalled'} aria-label="Answers">
      <p class="meta" role="status">
        {countOf(results.length, 'answer')} in {spanWords(tookMs)}
      </p>
      {notices.map((notice) => (
        <p key={notice} class="banner">
          {notice}
        </p>
      ))}
      {results.length === 0 && <Nothing answer={answer} />}
      <Results results={likely} answer={answer} />
      {unlikely.length > 0 && (
        <details class="unlikely" open={likely.length === 0}>
          <summary>{countOf(unlikely.length, 'more answer')} that hardly match</summary>
          <Results results={unlikely} answer={answer} />
        </details>
      )}
      {results.length > 0 && <p class="meta rarity">{rarityWords(answer)}</p>}
      <LeftOut answer={answer} />
    </section>
  )
}

function Results({ results, answer }: { readonly results: readonly RecalledResult[]; readonly answer: Recalled }) {
  return (
    <ol class="results">
      {results.map((result) => (
        <Result key={result.id} result={result} answer={answer} />
      ))}
    </ol>
  )
}

function Nothing({ answer }: { readonly answer: Recalled }) {
  return (
    <Empty title="Memory has no answer to this">
      <p>{rarityWords(answer)}</p>
      {answer.belowFloor > 0 && query.value.get('floor') !== 'off' && (
        <button type="button" class="button" onClick={() => setQuery('floor', 'off')}>
          Show what matches too little
        </button>
      )}
    </Empty>
  )
}

function Result({ result, answer }: { readonly result: RecalledResult; readonly answer: Recalled }) {
  const { title, passage, before, after, parts, kind, project, createdAt, writtenBy, of } = result
  const address = addressOf(result)
  const name = title === '' ? (result.key ?? result.id) : title
  const rows = partsInWords(result, answer)
  return (
    <li class="result">
      <article>
        <h2>{address === undefined ? name : <a href={address}>{name}</a>}</h2>
        <p class="meta">
          <span class="tag">{of === 'note' ? kind : of === 'episode' ? `past work · ${kind}` : of}</span>
          {project !== '_global' && <span>{projectWords(project)}</span>}
          <span>{dayWords(createdAt, answer.now)}</span>
          {writtenBy !== undefined && <span>{authorWords(writtenBy)}</span>}
        </p>
        <p class="passage">
          {before}
          {passage !== '' && <mark>{passage}</mark>}
          {after}
        </p>
      </article>
      <div class="why">
        <p class="likely">
          <strong>{likelyWords(parts.probability)}</strong>
          <Bar share={parts.probability} class="is-likely" />
        </p>
        <dl class="parts">
          {rows.map(({ name: part, share }) => (
            <div key={part}>
              <dt>{part}</dt>
              <dd>
                <span class="figure">{share === undefined ? '–' : share.toFixed(2)}</span>
                <Bar share={share ?? 0} />
              </dd>
            </div>
          ))}
        </dl>
        <details class="in-words">
          <summary>Why here?</summary>
          <ul>
            {rows.map(({ name: part, words }) => (
              <li key={part}>
                <b>{part}.</b> {words}
              </li>
            ))}
            <li>
              <b>Score.</b> {result.score.toFixed(2)}: words count most, then meaning, then the time that a question
              names.
            </li>
          </ul>
        </details>
      </div>
    </li>
  )
}

/** Events of plans have no page of their own. */
function addressOf({ of, key, id }: RecalledResult): string | undefined {
  if (of === 'note' && key !== undefined) return noteAddress(key)
  return of === 'belief' ? `/beliefs/${encodeURIComponent(id.slice(id.lastIndexOf(':') + 1))}` : undefined
}

function LeftOut({ answer: { leftOut, belowFloor, routine, more } }: { readonly answer: Recalled }) {
  if (leftOut.length === 0 && belowFloor + routine + more <= 0) return null
  return (
    <details class="left-out">
      <summary>What was left out</summary>
      <ul>
        {leftOut.map(({ key, title, why, probability }, i) => (
          <li key={i}>
            {key === undefined ? title : <a href={noteAddress(key)}>{title === '' ? key : title}</a>}{' '}
            <span class="quiet">
              {why === 'same text' ? 'the same text as an answer above' : likelyWords(probability)}
            </span>
          </li>
        ))}
        {more > 0 && <li class="quiet">{countOf(more, 'answer')} more that match less well</li>}
        {routine > 0 && <li class="quiet">{countOf(routine, 'routine record')} of programs</li>}
      </ul>
      {belowFloor > 0 && query.value.get('floor') !== 'off' && (
        <button type="button" class="button" onClick={() => setQuery('floor', 'off')}>
          Show what matches too little
        </button>
      )}
    </details>
  )
}
