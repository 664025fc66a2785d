/** One belief: how sure it is, how that came about, and the chain back to what happened. */
import { useEffect, useState } from 'preact/hooks'
import { about } from '../about.ts'
import type { BeliefEpisode, BeliefPage } from '../../src/contract/beliefs.ts'
import { useFresh } from '../fresh.ts'
import { noteAddress } from '../memory/addresses.ts'
import { dayWords } from '../memory/dates.ts'
import { projectWords } from '../memory/pure/note-words.ts'
import { shellWord } from '../pure/shell-word.ts'
import { shortId } from '../pure/words.ts'
import { rooms } from '../rooms.ts'
import { planAddress } from '../router.ts'
import { confirmChange, makeChange, type Question } from '../views/confirm.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { Part } from '../views/part.tsx'
import { ConfidenceChart } from './confidence-chart.tsx'
import { changeWords, confidenceWords, episodeWords, stateWords } from './pure/belief-words.ts'

export function BeliefView({ id }: { readonly id: string }) {
  const { answer: belief, error } = useFresh<BeliefPage>(`/api/beliefs/${encodeURIComponent(id)}`)
  useEffect(() => {
    document.title = `${belief?.statement.slice(0, 60) ?? 'Belief'} · agentm`
  }, [belief?.statement])
  if (belief === undefined)
    return error === undefined ? <p class="meta">Reading the belief…</p> : <NoSuchBelief id={id} />
  return (
    <article class="belief">
      <Head belief={belief} />
      <div class="belief-body">
        <section class="belief-story" aria-label="How sure it is">
          <p class="sure">
            <strong>{belief.confidence.toFixed(2)}</strong>{' '}
            {belief.status === 'active' ? confidenceWords(belief.confidence) : 'when it was forgotten'}
          </p>
          <ConfidenceChart versions={belief.versions} now={belief.now} />
          <Changes belief={belief} />
        </section>
        <section class="belief-chain" aria-label="Where it comes from">
          <Part title="Learned from" count={belief.episodes.length}>
            {belief.episodes.length === 0 && (
              <p class="quiet">No episode is named: it was written by hand, or brought from elsewhere.</p>
            )}
            <ol class="chain">
              {belief.episodes.map((episode) => (
                <Episode key={episode.id} episode={episode} now={belief.now} />
              ))}
            </ol>
          </Part>
        </section>
      </div>
    </article>
  )
}

function Head({ belief }: { readonly belief: BeliefPage }) {
  const { id, statement, kind, project, lesson, isPersons, supersedes, supersededBy, note, elsewhere, isUnconfirmed } =
    belief
  const state = stateWords(belief)
  const [isWording, setWording] = useState(false)
  return (
    <header class="belief-head">
      <p class="crumbs">
        <a href="/beliefs">Beliefs</a> /{' '}
        <a href={`/beliefs?project=${encodeURIComponent(project)}`}>{projectWords(project)}</a>
      </p>
      <h1>{statement}</h1>
      <p class="meta">
        <span class="tag">{lesson ?? kind}</span>
        <code>{shortId(id).slice(0, 12)}</code>
        {isPersons && <span>worded by a person</span>}
        {supersedes !== undefined && (
          <a href={`/beliefs/${encodeURIComponent(supersedes)}`}>replaces an older belief</a>
        )}
        {supersededBy !== undefined && (
          <a href={`/beliefs/${encodeURIComponent(supersededBy)}`}>replaced by a newer one</a>
        )}
        {note !== undefined && <a href={noteAddress(note)}>the note that it became</a>}
      </p>
      {state !== '' && (
        <p class={isUnconfirmed ? 'banner is-paused' : 'banner'}>
          {state.charAt(0).toUpperCase()}
          {state.slice(1)}.
        </p>
      )}
      {elsewhere !== undefined && <p class="banner">{elsewhere}</p>}
      <div class="head-actions">
        {about.value.canWrite && <Actions belief={belief} onWord={() => setWording(true)} />}
        <CopyCommand words={`${isUnconfirmed ? 'learned' : 'beliefs'} show ${shellWord(id.slice(0, 12))}`} />
      </div>
      {isWording && <Wording belief={belief} onDone={() => setWording(false)} />}
    </header>
  )
}

function Actions({ belief, onWord }: { readonly belief: BeliefPage; readonly onWord: () => void }) {
  const { id, status, prunedBy, isUnconfirmed, elsewhere } = belief
  if (status === 'pruned')
    return prunedBy === 'superseded' || prunedBy === 'accepted' ? null : <Ask question={restoring(id)} />
  return (
    <>
      {elsewhere === undefined && <Ask question={isUnconfirmed ? accepting(id) : confirming(id)} />}
      <button type="button" class="button" onClick={onWord}>
        Correct
      </button>
      <Ask question={forgetting(id, isUnconfirmed)} />
    </>
  )
}

function Ask({ question }: { readonly question: Question }) {
  return (
    <button
      type="button"
      class={question.isDangerous === true ? 'button is-danger-quiet' : 'button'}
      onClick={() => confirmChange(question)}
    >
      {question.yes}
    </button>
  )
}

const ofBeliefs = { room: 'beliefs', hasNoReason: true } as const

function confirming(id: string): Question {
  return {
    ...ofBeliefs,
    title: 'Is this true?',
    text: 'Its confidence becomes 1 again. It fades from then on, as usual.',
    yes: 'Confirm',
    change: { do: 'confirm', id },
  }
}

function accepting(id: string): Question {
  return {
    ...ofBeliefs,
    title: 'Accept this as a note?',
    text: 'It was learned from agent sessions. Accepted, it becomes a note of yours that names where it comes from.',
    yes: 'Accept as a note',
    change: { do: 'confirm', id },
  }
}

function forgetting(id: string, isLesson: boolean): Question {
  return {
    ...ofBeliefs,
    title: isLesson ? 'Reject this?' : 'Forget this belief?',
    text: 'It is left out of every answer, and it is not learned again, in other words either.',
    yes: isLesson ? 'Reject' : 'Forget',
    isDangerous: true,
    change: { do: 'forget', id },
  }
}

function restoring(id: string): Question {
  return {
    ...ofBeliefs,
    title: 'Restore this belief?',
    text: 'It is active again, and counts as confirmed today.',
    yes: 'Restore',
    change: { do: 'restore', id },
  }
}

function Wording({ belief, onDone }: { readonly belief: BeliefPage; readonly onDone: () => void }) {
  const [text, setText] = useState(belief.statement)
  const isSame = text.trim() === belief.statement || text.trim() === ''
  const save = async (event: Event) => {
    event.preventDefault()
    if (await makeChange('beliefs', { do: 'correct', id: belief.id, text })) onDone()
  }
  return (
    <form class="wording" onSubmit={(event) => void save(event)}>
      <label class="field">
        <span>
          In your words <span class="quiet">They are kept. What it said before is not learned again.</span>
        </span>
        <textarea
          rows={3}
          maxLength={2_000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <div class="buttons is-left">
        <button type="submit" class="button is-main" disabled={isSame}>
          Save
        </button>
        <button type="button" class="button" onClick={onDone}>
          Keep it as it is
        </button>
      </div>
    </form>
  )
}

function Changes({ belief: { versions, now } }: { readonly belief: BeliefPage }) {
  return (
    <ol class="belief-changes">
      {versions.toReversed().map((version, i, all) => {
        const before = all[i + 1]
        return (
          <li key={version.version}>
            <span class="figure">{version.confidence.toFixed(2)}</span>
            <span>{changeWords(version)}</span>
            <time>{dayWords(version.at, now)}</time>
            {before !== undefined && before.statement !== version.statement && (
              <p class="quiet">Before: {before.statement}</p>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function Episode({ episode, now }: { readonly episode: BeliefEpisode; readonly now: number }) {
  const { at, text, plan, step, session, id } = episode
  return (
    <li class="episode">
      <p class="meta">
        <b>{episodeWords(episode)}</b>
        {at !== undefined && <time>{dayWords(at, now)}</time>}
        {text === undefined && <code>{shortId(id)}</code>}
      </p>
      {text !== undefined && text !== '' && <blockquote>{text}</blockquote>}
      {plan !== undefined && (
        <p class="episode-from">
          in the plan <a href={planAddress(plan.id, 'timeline', step)}>{plan.goal}</a>
        </p>
      )}
      {session !== undefined && <Session session={session} />}
    </li>
  )
}

function Session({
  session: { host, id, turn, records },
}: {
  readonly session: NonNullable<BeliefEpisode['session']>
}) {
  const name = `${host} session ${shortId(id)}`
  const hasRoom = rooms.some((room) => room.name === 'sessions')
  return (
    <p class="episode-from">
      in {hasRoom ? <a href={`/sessions/${encodeURIComponent(id)}`}>{name}</a> : name}, turn {turn}, records{' '}
      {records[0]} to {records[1]}
      <CopyCommand words={`sessions show ${shellWord(id)}`} />
    </p>
  )
}

function NoSuchBelief({ id }: { readonly id: string }) {
  return (
    <Empty title="There is no such belief">
      <p>
        No belief of yours has the id <code>{id}</code>, or several begin with it.
      </p>
      <a class="button" href="/beliefs">
        Show all beliefs
      </a>
    </Empty>
  )
}
