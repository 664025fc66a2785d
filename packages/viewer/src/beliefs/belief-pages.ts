/** Beliefs of the owner, as `agentm beliefs` lists them, and where one comes from. */
import { AbsentNodeError, redactSecrets } from '@agentm/nodes'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import {
  type BeliefEpisode,
  type BeliefList,
  type BeliefPage,
  type BeliefShelfName,
  beliefShelves,
} from '../contract/beliefs.ts'
import type { Facet } from '../contract/memory.ts'
import { textIn } from '../pure/fields.ts'
import { short } from '../pure/short.ts'
import { shownText } from '../pure/shown-value.ts'
import { beliefRow, shelfOf, versionWord } from './pure/belief-facts.ts'
import { type EpisodeFacts, episodeFacts } from './pure/episode-facts.ts'

const mostListed = 200
const mostEpisodes = 60
const mostVersions = 200

type Shelf = NonNullable<Awaited<ReturnType<WorkspaceReader['beliefs']>>>
type Log = NonNullable<Awaited<ReturnType<WorkspaceReader['log']>>>

export async function listBeliefs(shelf: Shelf, query: URLSearchParams): Promise<BeliefList> {
  const all = (await shelf.list({})).map(beliefRow)
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter(({ statement, id }) =>
    words.every((word) => `${statement} ${id}`.toLowerCase().includes(word)),
  )
  const shown: BeliefShelfName = beliefShelves.find((name) => name === query.get('show')) ?? 'active'
  const project = query.get('project') ?? ''
  const onShelf = found.filter((row) => shelfOf(row) === shown)
  const beliefs = onShelf.filter((row) => project === '' || row.project === project)
  const most = Math.min(5_000, Math.max(mostListed, Number(query.get('most')) || 0))
  return {
    hasLog: true,
    beliefs: beliefs.slice(0, most),
    total: beliefs.length,
    counts: { active: count(found, 'active'), waiting: count(found, 'waiting'), forgotten: count(found, 'forgotten') },
    projects: facets(onShelf.map((row) => row.project)),
    now: Date.now(),
  }
}

function count(rows: readonly Parameters<typeof shelfOf>[0][], name: BeliefShelfName): number {
  return rows.filter((row) => shelfOf(row) === name).length
}

function facets(names: readonly string[]): readonly Facet[] {
  return [...new Set(names)]
    .map((name) => ({ name, count: names.filter((each) => each === name).length }))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}

/** What a belief is shown from. */
export interface BeliefSources {
  readonly shelf: Shelf
  readonly log: Log
  readonly owner: string
  /** The project of the directory; empty if there is none. */
  readonly project: string
}

export async function beliefPage({ shelf, log, owner, project }: BeliefSources, id: string): Promise<BeliefPage> {
  const story = await shelf.show(id)
  const head = await log.latest(story.id, { owner })
  if (head === undefined) throw new AbsentNodeError(id)
  const row = beliefRow(story)
  const lesson = textIn(head.payload, 'lesson')
  const note = textIn(head.payload, 'note')
  const isHere = row.project === '_global' || row.project === (project === '' ? '_global' : project)
  return {
    ...row,
    versions: story.versions.slice(-mostVersions).map(({ version, at, what, confidence, content }) => ({
      version,
      at,
      what: versionWord(what),
      confidence,
      statement: shownText(redactSecrets(content), 2_000),
    })),
    episodes: await episodesOf(story.sources.slice(0, mostEpisodes), log, owner),
    ...(story.supersedes === undefined ? {} : { supersedes: short(story.supersedes) }),
    ...(story.supersededBy === undefined ? {} : { supersededBy: short(story.supersededBy) }),
    ...(lesson === undefined ? {} : { lesson }),
    ...(note === undefined ? {} : { note }),
    ...(row.isUnconfirmed && !isHere
      ? { elsewhere: `It belongs to the project ${row.project}. Accept it in a checkout of that project.` }
      : {}),
    now: Date.now(),
  }
}

async function episodesOf(ids: readonly string[], log: Log, owner: string): Promise<readonly BeliefEpisode[]> {
  const facts = await Promise.all(ids.map(async (id) => episodeFacts(await log.latest(id, { owner }), id)))
  const planIds = [...new Set(facts.flatMap(({ planId }) => planId ?? []))]
  const goals = new Map(
    await Promise.all(
      planIds.map(async (id) => {
        const plan = await log.latest(id, { owner })
        const goal = plan === undefined || plan.redacted ? undefined : textIn(plan.payload, 'goal')
        return [id, goal === undefined ? undefined : shownText(redactSecrets(goal), 300)] as const
      }),
    ),
  )
  return facts.map((each) => withGoal(each, goals)).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

/** A plan that is gone has no page to go to. */
function withGoal({ planId, ...facts }: EpisodeFacts, goals: ReadonlyMap<string, string | undefined>): BeliefEpisode {
  const goal = planId === undefined ? undefined : goals.get(planId)
  return planId === undefined || goal === undefined ? facts : { ...facts, plan: { id: short(planId), goal } }
}
