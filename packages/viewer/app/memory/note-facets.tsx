/** What one can choose from, with how many notes each choice shows. */
import type { Facet, NoteList } from '../../src/contract/memory.ts'
import { countWords } from '../pure/words.ts'
import { query, setQuery } from '../router.ts'
import { useIsNarrow } from '../views/windowed.ts'
import { withTag } from './pure/list-query.ts'
import { projectWords } from './pure/note-words.ts'

const times = [
  ['', 'Any time'],
  ['1d', 'A day'],
  ['7d', 'A week'],
  ['30d', 'A month'],
  ['1y', 'A year'],
] as const

const statuses = [
  ['', 'Active'],
  ['deleted', 'Forgotten'],
  ['superseded', 'Replaced'],
  ['inbox', 'Proposals'],
] as const

export function NoteFacets({ list }: { readonly list: NoteList }) {
  const isNarrow = useIsNarrow()
  const chosen = ['project', 'kind', 'newer', 'status', 'tag'].filter((name) => query.value.has(name)).length
  return (
    <details class="facets" open={!isNarrow || undefined}>
      <summary>Choose {chosen > 0 && <span class="chip-count">{chosen} chosen</span>}</summary>
      <Choices name="newer" title="Written within" choices={times.map(([value, words]) => ({ value, words }))} />
      {list.projects.length > 1 && (
        <Facets name="project" title="Project" facets={list.projects} words={projectWords} />
      )}
      <Facets name="kind" title="Kind" facets={list.kinds} words={(kind) => kind} />
      <Tags tags={list.tags} />
      <Choices name="status" title="State" choices={statuses.map(([value, words]) => ({ value, words }))} />
    </details>
  )
}

interface Choice {
  readonly value: string
  readonly words: string
  readonly count?: number
}

function Choices({
  name,
  title,
  choices,
}: {
  readonly name: string
  readonly title: string
  readonly choices: readonly Choice[]
}) {
  const now = query.value.get(name) ?? ''
  return (
    <fieldset class="facet">
      <legend>{title}</legend>
      {choices.map(({ value, words, count }) => (
        <button
          key={value}
          type="button"
          class="facet-choice"
          aria-pressed={now === value}
          onClick={() => setQuery(name, now === value ? '' : value)}
        >
          <span>{words}</span>
          {count !== undefined && <span class="chip-count">{countWords(count)}</span>}
        </button>
      ))}
    </fieldset>
  )
}

function Facets({
  name,
  title,
  facets,
  words,
}: {
  readonly name: string
  readonly title: string
  readonly facets: readonly Facet[]
  readonly words: (value: string) => string
}) {
  const shown = facets.slice(0, 12)
  if (shown.length === 0) return null
  return (
    <Choices
      name={name}
      title={title}
      choices={shown.map((facet) => ({ value: facet.name, words: words(facet.name), count: facet.count }))}
    />
  )
}

function Tags({ tags }: { readonly tags: readonly Facet[] }) {
  const chosen = query.value.getAll('tag')
  const shown = [
    ...chosen.filter((tag) => !tags.some(({ name }) => name === tag)).map((name) => ({ name, count: 0 })),
    ...tags,
  ]
  if (shown.length === 0) return null
  return (
    <fieldset class="facet">
      <legend>Tags</legend>
      <div class="facet-tags">
        {shown.slice(0, 24).map(({ name, count }) => (
          <a
            key={name}
            class={chosen.includes(name) ? 'tag-link is-chosen' : 'tag-link'}
            aria-current={chosen.includes(name) ? 'true' : undefined}
            href={withTag(query.value, name)}
          >
            #{name} <span class="chip-count">{countWords(count)}</span>
          </a>
        ))}
      </div>
    </fieldset>
  )
}
