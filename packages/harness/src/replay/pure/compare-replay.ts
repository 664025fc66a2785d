/**
 * Whether a replayed plan takes the same course as the recorded one. Steps of one wave may start in any order, so only the set of
 * started steps is compared, and the verdict is marked as advisory.
 */
import { isPlanOver } from '../../pure/plan-transitions.ts'
import { dependencyWaves } from './dependency-waves.ts'
import type { Recording } from './recording-of.ts'
import type { Simulated } from './simulate-plan.ts'

export interface ReplayedWave {
  readonly wave: number
  /** The starts, in order. */
  readonly recorded: readonly string[]
  readonly replayed: readonly string[]
  readonly matches: boolean
}

/** Whether a recorded plan would take the same course again, and what differs. */
export interface Replay {
  readonly planId: string
  /** The same steps started in each wave, and the plan ended the same way. */
  readonly matches: boolean
  /** `false` if the recorded order was one of several correct ones. `reasons` says why. */
  readonly deterministic: boolean
  readonly reasons: readonly string[]
  readonly waves: readonly ReplayedWave[]
  readonly status: { readonly recorded: string; readonly replayed: string }
  /** Steps that were recorded as started before their dependencies were done. */
  readonly disorders: readonly string[]
}

export function compareReplay(recording: Recording, simulated: Simulated): Replay {
  const { recipe, dispatches, disorders, status: recorded } = recording
  const waves = wavesOf(recording, simulated)
  const reasons = [
    ...waves.filter(isWide).map(({ wave }) => `wave ${wave + 1} has several steps, which may start in any order`),
    ...recording.interventions,
    ...(hasLoss(recording) ? ['a worker was lost'] : []),
  ]
  const sameEnd = !isPlanOver(recorded) || recorded === 'cancelled' || recorded === simulated.status
  return {
    planId: recipe.planId,
    matches: sameEnd && disorders.length === 0 && waves.every(({ matches }) => matches),
    deterministic: reasons.length === 0 && dispatches.length > 0,
    reasons: dispatches.length === 0 ? ['nothing was started', ...reasons] : reasons,
    waves,
    status: { recorded, replayed: simulated.status },
    disorders,
  }
}

function wavesOf({ recipe, dispatches }: Recording, simulated: Simulated): readonly ReplayedWave[] {
  const waveOf = dependencyWaves(recipe.steps)
  const count = Math.max(-1, ...waveOf.values()) + 1
  return Array.from({ length: count }, (_, wave) => {
    const recorded = dispatches.filter((id) => waveOf.get(id) === wave)
    const replayed = simulated.dispatches.filter((id) => waveOf.get(id) === wave)
    const wide = new Set([...recorded, ...replayed]).size > 1
    const [a, b] = wide ? [recorded.toSorted(), replayed.toSorted()] : [recorded, replayed]
    return { wave, recorded, replayed, matches: a.length === b.length && a.every((id, i) => id === b[i]) }
  })
}

function isWide({ recorded, replayed }: ReplayedWave): boolean {
  return new Set([...recorded, ...replayed]).size > 1
}

function hasLoss({ recipe }: Recording): boolean {
  return Object.values(recipe.outcomes).some((outcomes) => outcomes.some(({ end }) => end === 'lost'))
}
