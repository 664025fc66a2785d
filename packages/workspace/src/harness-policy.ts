/**
 * What workers of this user may run. It comes only from the user's own config, because plans are rows in a log, and whoever can
 * write a row must not thereby run a program here.
 */
import path from 'node:path'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { settings } from '@agentm/settings'
import { ownerName } from './owner-name.ts'

export interface HarnessPolicy {
  /** Whose steps a worker takes. */
  readonly owners: readonly string[]
  /** The kinds of steps it runs. */
  readonly kinds: readonly string[]
  /** Modules that steps of kind `module` may name: files on this machine. */
  readonly modules: readonly string[]
}

/** From `harness.owners`, `harness.kinds` and `harness.modules`. */
export function harnessPolicy(config: InstallConfig, world: Pick<SelectionWorld, 'home'>): HarnessPolicy {
  return {
    owners: config.values['harness.owners'] ?? [ownerName(config)],
    kinds: config.values['harness.kinds'] ?? unasked,
    modules: (config.values['harness.modules'] ?? []).map((file) => atHome(file, world)),
  }
}

/**
 * The kinds that are allowed by default: an agent has only the model and tools of the config, and an approval only asks. Every
 * other kind does whatever a plan says.
 */
const unasked = settings['harness.kinds'].default

function atHome(file: string, { home }: Pick<SelectionWorld, 'home'>): string {
  return /^~[/\\]/.test(file) ? path.join(home, file.slice(2)) : file
}
