/** All captured sessions of coding agents, by day. */
import { useEffect } from 'preact/hooks'
import type { SessionRow } from '../../src/contract/sessions.ts'
import { typed } from '../about.ts'
import { now } from '../clock.ts'
import { countOf, countWords, spanWords } from '../pure/words.ts'
import { query } from '../router.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { Chips, Choice, SearchField } from '../views/filters.tsx'
import { clockWords, dayOf, dayWords } from './days.ts'
import { HostMark, hostName } from './host-mark.tsx'
import { byDay, filterSessions, isSpan } from './pure/filter-sessions.ts'
import { foundWords } from './pure/found-words.ts'
import { sessionAddress } from './session-address.ts'
import { held, isSearching, loadOlder, search } from './session-list.ts'

export function SessionsView() {
  const words = query.value.get('q') ?? ''
  useEffect(() => {
    document.title = 'Sessions · agentm'
  }, [])
  useEffect(() => {
    void search(words)
  }, [words])
  const list = held.value
  if (list === undefined) return <Skeleton />
  if (list.sessions.length === 0 && list.words === '') return <NoSessions />
  return (
    <>
      <div class="page-head">
        <h1>Sessions</h1>
        <CopyCommand words="sessions --all" />
      </div>
      <Filters all={list.sessions} />
      <Days all={list.sessions} />
      {list.before !== undefined && (
        <button type="button" class="button more" onClick={() => void loadOlder()}>
          Show older sessions
        </button>
      )}
    </>
  )
}

const spanNames = { today: 'Today', week: 'Last 7 days', month: 'Last 30 days' } as const

function Filters({ all }: { readonly all: readonly SessionRow[] }) {
  const hosts = [...new Set(all.map(({ host }) => host))].toSorted()
  const projects = [...new Set(all.map(({ project }) => project))].filter((name) => name !== '').toSorted()
  return (
    <div class="filters session-filters" role="search">
      <SearchField
        label="Search what was asked, said, run and changed"
        placeholder="Search what was asked, run, changed"
      />
      {hosts.length > 1 && (
        <Chips
          name="host"
          label="Show"
          options={[
            { value: '', title: 'All', count: all.length },
            ...hosts.map((name) => ({
              value: name,
              title: hostName(name),
              count: all.filter(({ host }) => host === name).length,
            })),
          ]}
        />
      )}
      {projects.length > 1 && (
        <Choice
          name="project"
          label="Project"
          options={[{ value: '', title: 'All projects' }, ...projects.map((name) => ({ value: name, title: name }))]}
        />
      )}
      <Choice
        name="time"
        label="Time"
        options={[
          { value: '', title: 'Any time' },
          ...Object.entries(spanNames).map(([value, title]) => ({ value, title })),
        ]}
      />
    </div>
  )
}

function Days({ all }: { readonly all: readonly SessionRow[] }) {
  const time = query.value.get('time')
  const at = now()
  const shown = filterSessions(all, {
    host: query.value.get('host') ?? '',
    project: query.value.get('project') ?? '',
    span: isSpan(time) ? time : undefined,
    today: dayOf(at),
  })
  return (
    <section aria-label="Sessions" class={isSearching.value ? 'sessions is-searching' : 'sessions'}>
      <p class="only-read" role="status">
        {countOf(shown.length, 'session')} shown
      </p>
      {shown.length === 0 && (
        <Empty title="No session matches">
          <p>Try other words, another project, or a longer time.</p>
          <a class="button" href="/sessions">
            Show all sessions
          </a>
        </Empty>
      )}
      {byDay(shown, dayOf).map(({ day, sessions }) => (
        <section key={day} class="day">
          <h2>
            {dayWords(day, at)} <span class="chip-count">{countWords(sessions.length)}</span>
          </h2>
          <ul class="plan-list">
            {sessions.map((session) => (
              <Row key={`${session.host} ${session.id}`} session={session} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

function Row({ session }: { readonly session: SessionRow }) {
  const { host, id, asked, done, startedAt, endedAt, turns, agents, project, branch, tokens, open } = session
  return (
    <li class="plan-row session-row">
      <HostMark host={host} />
      <div class="plan-what">
        <a href={sessionAddress(id)} class="plan-goal row-link">
          <Found text={asked === '' ? '(no prompt was recorded)' : asked} />
        </a>
        {done !== undefined && (
          <p class="session-done">
            <Found text={done} />
          </p>
        )}
        <p class="meta">
          {project !== '' && <span>{project}</span>}
          {branch !== undefined && <span class="branch">{branch}</span>}
          <span>{countOf(turns, 'turn')}</span>
          {agents > 0 && <span>{countOf(agents, 'sub-agent')}</span>}
          {tokens !== undefined && <span>{countWords(tokens.input + tokens.output)} tokens</span>}
          {open > 0 && <span class="is-open">{countWords(open)} left to do</span>}
        </p>
      </div>
      <p class="session-when">
        <time dateTime={new Date(startedAt).toISOString()}>{clockWords(startedAt)}</time>
        <span class="quiet">{endedAt - startedAt >= 1_000 ? spanWords(endedAt - startedAt) : ''}</span>
      </p>
    </li>
  )
}

/** A text with the words that were searched for marked. */
function Found({ text }: { readonly text: string }) {
  const words = held.value?.words ?? ''
  return <>{foundWords(text, words).map((piece, i) => (i % 2 === 1 ? <mark key={i}>{piece}</mark> : piece))}</>
}

function NoSessions() {
  return (
    <Empty title="No sessions yet">
      <p>
        What you ask Claude Code, Codex, Gemini CLI or opencode, what they ran and changed, and how it ended: agentm
        keeps an excerpt of each turn, without secrets, and learns from it. Capture what your agents did so far, or let
        hooks capture each session when it ends.
      </p>
      <div class="commands">
        <CopyCommand words="capture sessions" />
        <CopyCommand words="init" />
      </div>
      <p class="meta">
        To leave a directory out, put a file named <code>.agentm-private</code> into it. To forget a session:{' '}
        <code>{typed('sessions forget SESSION')}</code>
      </p>
    </Empty>
  )
}

function Skeleton() {
  return (
    <div aria-busy="true">
      <div class="page-head">
        <h1>Sessions</h1>
      </div>
      <ul class="plan-list is-loading" aria-hidden="true">
        {Array.from({ length: 6 }, (_, i) => (
          <li key={i} class="plan-row" />
        ))}
      </ul>
    </div>
  )
}
