/** What was learned from past work, the surest first; what waits for a decision; and what is forgotten. */
import { useEffect, useState } from 'preact/hooks'
import { typed } from '../about.ts'
import { type BeliefList, type BeliefRow, beliefShelves, type BeliefShelfName } from '../../src/contract/beliefs.ts'
import { useFresh } from '../fresh.ts'
import { dayWords } from '../memory/dates.ts'
import { projectWords } from '../memory/pure/note-words.ts'
import { countOf } from '../pure/words.ts'
import { shellWord } from '../pure/shell-word.ts'
import { query } from '../router.ts'
import { Bar } from '../views/bars.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { Chips, Choice, SearchField } from '../views/filters.tsx'
import { stateWords } from './pure/belief-words.ts'

const titles: Readonly<Record<BeliefShelfName, string>> = {
  active: 'Believed',
  waiting: 'Waits for you',
  forgotten: 'Forgotten',
}

export function BeliefsView() {
  const [most, setMost] = useState(200)
  useEffect(() => {
    document.title = 'Beliefs · agentm'
  }, [])
  const asked = new URLSearchParams({ most: String(most) })
  for (const name of ['show', 'project', 'q']) if (query.value.has(name)) asked.set(name, query.value.get(name) ?? '')
  const { answer, error, isOld } = useFresh<BeliefList>(`/api/beliefs?${asked}`)
  if (answer === undefined)
    return error === undefined ? (
      <p class="meta">Reading the beliefs…</p>
    ) : (
      <p class="banner is-failed">{error.message}</p>
    )
  const { active, waiting, forgotten } = answer.counts
  const isSearched = (query.value.get('q') ?? '') !== ''
  if (!isSearched && active + waiting + forgotten === 0) return <NoBeliefs />
  return (
    <>
      <div class="page-head">
        <h1>Beliefs</h1>
        <CopyCommand words={commandOf()} />
      </div>
      <Filters list={answer} />
      <section class={isOld ? 'is-old' : ''} aria-label={titles[shown()]}>
        <p class="only-read" role="status">
          {countOf(answer.total, 'belief')}
        </p>
        {answer.beliefs.length === 0 && <NothingShown />}
        <ol class="belief-list">
          {answer.beliefs.map((belief) => (
            <Row key={belief.id} belief={belief} now={answer.now} />
          ))}
        </ol>
        {answer.total > answer.beliefs.length && (
          <button type="button" class="button more" onClick={() => setMost(most + 400)}>
            Show more
          </button>
        )}
      </section>
    </>
  )
}

function Filters({ list }: { readonly list: BeliefList }) {
  return (
    <div class="filters" role="search">
      <SearchField label="Search beliefs" placeholder="Search statements" />
      <Chips
        name="show"
        label="Show"
        options={beliefShelves.map((name) => ({
          value: name === 'active' ? '' : name,
          title: titles[name],
          count: list.counts[name],
        }))}
      />
      {(list.projects.length > 1 || query.value.has('project')) && (
        <Choice
          name="project"
          label="Project"
          options={[
            { value: '', title: 'All projects' },
            ...list.projects.map(({ name, count }) => ({ value: name, title: projectWords(name), count })),
          ]}
        />
      )}
    </div>
  )
}

function Row({ belief, now }: { readonly belief: BeliefRow; readonly now: number }) {
  const { id, statement, confidence, kind, project, sources, confirmedAt, isPersons } = belief
  const state = stateWords(belief)
  return (
    <li class={`belief-row is-${belief.status}`}>
      <div class="belief-sure">
        <span class="figure">{confidence.toFixed(2)}</span>
        <Bar share={confidence} />
      </div>
      <div>
        <a class="belief-statement row-link" href={`/beliefs/${encodeURIComponent(id)}`}>
          {statement}
        </a>
        <p class="meta">
          <span class="tag">{kind}</span>
          {project !== '_global' && <span>{projectWords(project)}</span>}
          {sources > 0 && <span>{countOf(sources, 'episode')}</span>}
          {confirmedAt > 0 && <span>last confirmed {dayWords(confirmedAt, now)}</span>}
          {isPersons && <span>worded by a person</span>}
          {state !== '' && <span>{state}</span>}
        </p>
      </div>
    </li>
  )
}

function shown(): BeliefShelfName {
  return beliefShelves.find((name) => name === query.value.get('show')) ?? 'active'
}

function commandOf(): string {
  const project = query.value.get('project') ?? ''
  const of = project === '' ? '' : ` --project ${shellWord(project)}`
  return shown() === 'waiting' ? 'learned' : `beliefs${shown() === 'forgotten' ? ' --status pruned' : ''}${of}`
}

function NothingShown() {
  const words: Readonly<Record<BeliefShelfName, string>> = {
    active: 'No belief is active. What is forgotten is kept apart.',
    waiting:
      'Nothing waits for your decision. What agents are told in their sessions appears here, before it is trusted.',
    forgotten: 'Nothing is forgotten.',
  }
  return (
    <Empty title={(query.value.get('q') ?? '') === '' ? 'Nothing here' : 'No belief matches'}>
      <p>{(query.value.get('q') ?? '') === '' ? words[shown()] : 'Try other words, or look at the other shelves.'}</p>
    </Empty>
  )
}

function NoBeliefs() {
  return (
    <Empty title="No beliefs yet">
      <p>
        A belief is a statement that past work supports: agentm learns it when several episodes say the same, and it
        fades if nothing confirms it. Each names where it comes from.
      </p>
      <div class="commands">
        <CopyCommand words="consolidate" />
        <CopyCommand words="capture sessions" />
      </div>
      <p class="meta">
        The first derives beliefs from plans, the second learns from the sessions of your agents. A worker does both at
        night: <code>{typed('worker')}</code>
      </p>
    </Empty>
  )
}
