/**
 * Assigns each step to an agent: one that fits, one that fits with more tools, or a new one. Each step is compared with the roster
 * as changed by the steps before it, so ten similar steps make one agent.
 */
import { deriveId, type Draft } from '@agentm/nodes'
import type { NewObservation } from '@agentm/harness'
import { type AgentHead, agentName } from '@agentm/harness/planning'
import type { Candidate, Fitter } from './fitter.ts'
import { createAgentDraft, mergedAgentDraft, upgradeAgentDraft } from './pure/agent-drafts.ts'
import { capabilityGap, isEmptyGap, stepText, withGap } from './pure/capability.ts'
import { capabilityOf, composeAgent } from './pure/compose-agent.ts'
import { bandsOf, decideDedup, decideRoute, figure, type Fit, type Route } from './pure/decide-route.ts'
import type { ProposedStep } from './pure/decomposition.ts'
import { grantedTools, type Grants, type ToolFacts } from './pure/granted-tools.ts'
import { pickRole, type SeedRole, seedRoles } from './pure/seed-roles.ts'

export interface Assigned {
  readonly step: ProposedStep
  readonly agentId: string
  /** The role of the agent, and its tools from now on. */
  readonly agent: { readonly role: string; readonly tools: readonly string[] }
  readonly decision: NewObservation
}

export interface Assignments {
  readonly assigned: readonly Assigned[]
  /** The changes of the roster, in order. */
  readonly drafts: readonly Draft[]
  /** The versions that the decisions are based on. Every write expects them. */
  readonly expects: Readonly<Record<string, number>>
}

export interface AssignOptions {
  readonly owner: string
  /** Every agent of the owner, whatever its status, including those whose content was erased. */
  readonly roster: readonly AgentHead[]
  readonly fitter: Fitter
  /** The tools this installation offers. */
  readonly tools: readonly ToolFacts[]
}

export async function assignSteps(steps: readonly ProposedStep[], options: AssignOptions): Promise<Assignments> {
  const hiring = new Hiring(options)
  const assigned: Assigned[] = []
  for (const step of steps) assigned.push(await hiring.assign(step))
  return { assigned, drafts: hiring.drafts, expects: hiring.expects }
}

interface Chosen {
  readonly agentId: string
  readonly choice: 'route' | 'upgrade' | 'provision' | 'merge'
  readonly rationale: string
  readonly facts: object
}

/** One round of assignments, with the roster as it changes on the way. */
class Hiring {
  readonly drafts: Draft[] = []
  readonly expects: Record<string, number> = {}
  readonly #options: AssignOptions
  readonly #members: Map<string, Candidate>
  readonly #versions: ReadonlyMap<string, number>

  constructor(options: AssignOptions) {
    this.#options = options
    this.#versions = new Map(options.roster.map(({ id, version }) => [id, version]))
    const active = options.roster.filter(({ payload }) => payload.status === 'active')
    this.#members = new Map(active.map(({ id, payload }) => [id, { id, agent: payload }]))
  }

  async assign(step: ProposedStep): Promise<Assigned> {
    const { fitter } = this.#options
    const fits = await fitter.fits(stepText(step), [...this.#members.values()])
    const route = decideRoute(fits, fitter.thresholds)
    const chosen = await this.#choose(step, route)
    // The agent is expected in its present version: if it is retired meanwhile, the append is refused and the plan is made again.
    this.expects[chosen.agentId] ??= this.#versions.get(chosen.agentId) ?? 0
    const { role = '', tools = [] } = this.#members.get(chosen.agentId)?.agent ?? {}
    return {
      step,
      agentId: chosen.agentId,
      agent: { role, tools },
      decision: decisionOf(chosen, { step, route, fits, fitter }),
    }
  }

  async #choose(step: ProposedStep, { choice, best, rationale }: Route): Promise<Chosen> {
    const member = best === undefined ? undefined : this.#members.get(best.agent)
    if (choice === 'provision' || member === undefined) return this.#provision(step, rationale)
    if (choice === 'route') return this.#route(member, rationale)
    const { role, why } = pickRole(step)
    const added = await this.#complete(member, role)
    const more = added === undefined ? 'nothing of what the role has is lacking' : `added ${listed(added)}`
    return {
      agentId: member.id,
      choice,
      rationale: `${rationale}; as ${role.slug} (${why}) ${more}`,
      facts: { role: role.slug, ...(added && { added }) },
    }
  }

  /** The user may have allowed tools of its role since the agent was made. */
  async #route(member: Candidate, rationale: string): Promise<Chosen> {
    const role = seedRoles.find(({ slug }) => slug === member.agent.role)
    const added = role && (await this.#complete(member, role))
    if (added === undefined) return { agentId: member.id, choice: 'route', rationale, facts: {} }
    const grown = `${rationale}; added ${listed(added)}, which this installation offers by now`
    return { agentId: member.id, choice: 'route', rationale: grown, facts: { added } }
  }

  async #provision(step: ProposedStep, because: string): Promise<Chosen> {
    const { fitter, owner } = this.#options
    const { role, why } = pickRole(step)
    const composed = composeAgent(role, this.#granted(role), step.title)
    const candidate = deriveId(agentName, owner, role.slug, composed.name)
    // Agents of different roles have different instructions, however alike their tools are.
    const peers = [...this.#members.values()].filter(({ agent }) => agent.role === role.slug)
    const fits = await fitter.fits(capabilityOf(composed), peers)
    const twin = decideDedup(fits, fitter.thresholds)
    const target = twin === undefined ? undefined : this.#members.get(twin.agent)
    const facts = { role: role.slug, ...(composed.dropped && { dropped: composed.dropped }) }
    if (twin !== undefined && target !== undefined) {
      const added = await this.#complete(target, role)
      if (!this.#isTaken(candidate)) this.#write(candidate, mergedAgentDraft(candidate, composed, target.id))
      return {
        agentId: target.id,
        choice: 'merge',
        rationale: `${because}; a new ${role.slug} (${why}) would repeat ${twin.name} at ${figure(twin.score)}`,
        facts: {
          ...facts,
          candidateAgent: candidate,
          mergedInto: target.id,
          mergeScore: twin.score,
          ...(added && { added }),
        },
      }
    }
    const id = this.#nextId()
    const embedding = await fitter.embeddingOf(composed)
    const agent = { ...composed, ...(embedding && { embedding }) }
    this.#write(id, createAgentDraft(id, agent))
    this.#members.set(id, { id, agent })
    return { agentId: id, choice: 'provision', rationale: `${because}; made a ${role.slug} (${why})`, facts }
  }

  /** Gives an agent the tools of the role that it lacks; `undefined` if it lacks none. */
  async #complete({ id, agent }: Candidate, role: SeedRole) {
    const { tools } = this.#granted(role)
    const gap = capabilityGap({ domains: role.domains, tools }, agent)
    if (isEmptyGap(gap)) return undefined
    const { embedding: _, ...grown } = { ...agent, ...withGap(agent, gap) }
    const complete = { ...grown, domains: [...grown.domains], tools: [...grown.tools] }
    const embedding = await this.#options.fitter.embeddingOf(complete)
    this.#write(id, upgradeAgentDraft(id, complete, embedding))
    this.#members.set(id, { id, agent: { ...complete, ...(embedding && { embedding }) } })
    return gap
  }

  #granted(role: SeedRole): Grants {
    return grantedTools(role, this.#options.tools)
  }

  #write(id: string, draft: Draft): void {
    this.drafts.push(draft)
    this.expects[id] ??= this.#versions.get(id) ?? 0
  }

  /**
   * New agents of an owner are numbered. If two planners make one at once, both want the same number, and the second planner looks
   * at the roster again and finds the agent of the first.
   */
  #nextId(): string {
    for (let n = 1; ; n++) {
      const id = deriveId(agentName, this.#options.owner, 'agent', String(n))
      if (!this.#isTaken(id)) return id
    }
  }

  #isTaken(id: string): boolean {
    return this.#versions.has(id) || this.expects[id] !== undefined
  }
}

interface Considered {
  readonly step: ProposedStep
  readonly route: Route
  readonly fits: readonly Fit[]
  readonly fitter: Fitter
}

const mostAlternatives = 3

function decisionOf(
  { agentId, choice, rationale, facts }: Chosen,
  { step, route, fits, fitter }: Considered,
): NewObservation {
  const others = fits
    .filter(({ agent }) => agent !== agentId)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostAlternatives)
    .map(({ agent, name, score }) => ({ choice: 'route', agent, name, fitScore: score }))
  const bands = bandsOf(fitter.thresholds)
  return {
    kind: 'decision',
    content: `${choice} ${JSON.stringify(step.title)}: ${rationale}`,
    data: {
      choice,
      rationale,
      fitScore: route.best?.score ?? 0,
      assignedAgent: agentId,
      ...facts,
      alternatives: [...others, ...(choice === 'route' || choice === 'upgrade' ? [{ choice: 'provision' }] : [])],
      compared: { by: fitter.name, ...bands, ...(fitter.problem !== undefined && { problem: fitter.problem }) },
    },
  }
}

function listed({
  domains,
  tools,
}: {
  readonly domains: readonly string[]
  readonly tools: readonly string[]
}): string {
  return [...domains, ...tools].join(', ')
}
