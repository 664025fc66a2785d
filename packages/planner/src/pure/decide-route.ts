/** Decides who gets a step: an agent that fits, one that nearly fits, or a new one; and whether a new one equals an existing agent. */
import { uncalibrated, type Thresholds } from '@agentm/memory/ranking'

export interface Fit {
  readonly agent: string
  readonly name: string
  readonly score: number
}

export type Route = {
  readonly choice: 'route' | 'upgrade' | 'provision'
  /** The agent that fits best; absent if there are no agents. */
  readonly best: Fit | undefined
  readonly rationale: string
}

type Bands = Pick<Thresholds, 'route' | 'upgrade' | 'provisionDedup'>

export function decideRoute(fits: readonly Fit[], given: Bands): Route {
  const { route, upgrade } = bandsOf(given)
  const best = bestOf(fits)
  if (best === undefined) return { choice: 'provision', best, rationale: 'there is nobody to choose from' }
  const fit = `${best.name} fits at ${figure(best.score)}`
  if (best.score >= route)
    return { choice: 'route', best, rationale: `${fit}, ${figure(route)} or more is a clear match` }
  if (best.score >= upgrade)
    return { choice: 'upgrade', best, rationale: `${fit}: the right kind, short of ${figure(route)}` }
  return { choice: 'provision', best, rationale: `the best, ${fit}, below ${figure(upgrade)}` }
}

/** The existing agent that equals the composed one; `undefined` if there is none. */
export function decideDedup(fits: readonly Fit[], given: Bands): Fit | undefined {
  const best = bestOf(fits)
  return best !== undefined && best.score >= bandsOf(given).provisionDedup ? best : undefined
}

export function figure(score: number): string {
  return score.toFixed(2)
}

/** Thresholds outside their range are ignored, and the upgrade threshold is never above the route threshold. */
export function bandsOf(given: Bands): Bands {
  const inRange = (name: keyof Bands) => (given[name] > 0 && given[name] <= 1 ? given[name] : uncalibrated[name])
  const route = inRange('route')
  return { route, upgrade: Math.min(inRange('upgrade'), route), provisionDedup: inRange('provisionDedup') }
}

function bestOf(fits: readonly Fit[]): Fit | undefined {
  let best: Fit | undefined
  for (const fit of fits) if (best === undefined || fit.score > best.score) best = fit
  return best
}
