/** One agent session: what was asked, what the agent did, and what was learned from it. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { SessionPage } from '../../src/contract/sessions.ts'
import { countOf, countWords, spanWords } from '../pure/words.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { clockWords, dayOf, dayWords } from './days.ts'
import { HostMark, hostName } from './host-mark.tsx'
import { LearnedPart } from './learned-part.tsx'
import { Overview } from './overview.tsx'
import { type HeldSession, SessionStore } from './session-store.ts'
import { TurnCard } from './turn-card.tsx'

export function SessionView({ id, turn }: { readonly id: string; readonly turn: string | undefined }) {
  const store = useMemo(() => new SessionStore(id, turn), [id])
  useEffect(() => () => store.close(), [store])
  const held = store.held.value
  const error = store.error.value
  const asked = held?.page.session.asked
  useEffect(() => {
    if (asked !== undefined) document.title = `${asked.slice(0, 80)} · agentm`
  }, [asked])
  if (held !== undefined) return <Opened store={store} held={held} turn={turn} />
  if (error === undefined) return <p class="meta">Reading the session…</p>
  return (
    <Empty title="This session cannot be shown">
      <p>{error.message}</p>
      <a class="button" href="/sessions">
        Show all sessions
      </a>
    </Empty>
  )
}

interface OpenedProps {
  readonly store: SessionStore
  readonly held: HeldSession
  readonly turn: string | undefined
}

function Opened({ store, held, turn }: OpenedProps) {
  const { page, turns, from } = held
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (turn !== undefined) document.getElementById(`turn-${turn}`)?.scrollIntoView({ block: 'start' })
  }, [turn, from])
  const left = page.total - from - turns.length
  return (
    <div class="session">
      <Head page={page} />
      <Facts page={page} />
      <Overview page={page} chosen={turn} />
      <LearnedPart learned={store.learned.value} />
      <section aria-labelledby="turns-title">
        <h2 id="turns-title" class="turns-title">
          What happened
        </h2>
        {from > 0 && (
          <button type="button" class="button more" onClick={() => void store.more('before')}>
            Show {countOf(Math.min(100, from), 'earlier turn')}
          </button>
        )}
        <ol class="turns" ref={list}>
          {turns.map((each) => (
            <TurnCard key={each.id} session={page.session.id} turn={each} isChosen={each.id === turn} />
          ))}
        </ol>
        {left > 0 && (
          <button type="button" class="button more" onClick={() => void store.more('after')}>
            Show {countOf(Math.min(100, left), 'more turn')} of {countWords(left)}
          </button>
        )}
      </section>
    </div>
  )
}

function Head({ page }: { readonly page: SessionPage }) {
  const { session, now } = page
  const { host, id, asked, startedAt, endedAt, project, branch } = session
  return (
    <header class="plan-head session-head">
      <p class="crumbs">
        <a href="/sessions">Sessions</a>
        <span aria-hidden="true"> / </span>
        <code>{id.slice(0, 13)}</code>
      </p>
      <h1>{asked === '' ? '(no prompt was recorded)' : asked}</h1>
      <p class="meta">
        <HostMark host={host} />
        <span>{hostName(host)}</span>
        {project !== '' && <span>{project}</span>}
        {branch !== undefined && <span class="branch">{branch}</span>}
        <time dateTime={new Date(startedAt).toISOString()}>
          {dayWords(dayOf(startedAt), now)}, {clockWords(startedAt)}
        </time>
        <span>over {spanWords(endedAt - startedAt)}</span>
      </p>
      <div class="head-actions">
        <CopyCommand words={`sessions show ${id.slice(0, 13)}`} />
      </div>
    </header>
  )
}

function Facts({ page }: { readonly page: SessionPage }) {
  const { session, commands, failed, files } = page
  const { turns, agents, tokens } = session
  return (
    <dl class="meters">
      <Fact name="Turns" value={countWords(turns)} />
      <Fact name="Commands" value={countWords(commands)} more={failed === 0 ? '' : `${countWords(failed)} failed`} />
      <Fact name="Files" value={countWords(files)} />
      {agents > 0 && <Fact name="Sub-agents" value={countWords(agents)} />}
      {tokens !== undefined && (
        <Fact
          name="Tokens"
          value={countWords(tokens.input + tokens.output)}
          more={`${countWords(tokens.output)} out`}
        />
      )}
    </dl>
  )
}

function Fact({ name, value, more = '' }: { readonly name: string; readonly value: string; readonly more?: string }) {
  return (
    <div class="meter">
      <dt>{name}</dt>
      <dd>
        {value} {more !== '' && <span class="quiet">{more}</span>}
      </dd>
    </div>
  )
}
