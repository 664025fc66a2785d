import type { StepKind } from '../step-kind.ts'

/** What a package exports as `plugin`, so that users can enable its kinds of steps by name in their configuration. */
export interface StepKindPlugin {
  /** The version of this interface. A plugin for another version is refused with its name. */
  readonly contract: 1
  /** Prefix of its settings, such as `plugins.slack`: `plugins.slack.channel` arrives in `open` as `channel`. */
  readonly settingsKey?: string
  /** Returns its kinds of steps. It must not start anything, because kinds that the user has not enabled are opened, too. */
  open(settings: Readonly<Record<string, unknown>>): Promise<readonly StepKind[]>
}
