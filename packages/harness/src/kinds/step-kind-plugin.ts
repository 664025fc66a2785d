import type { StepKind } from '../step-kind.ts'

/** What a package exports, as `plugin`, so that its kinds of steps can be allowed by name in the user's configuration. */
export interface StepKindPlugin {
  /** The version of this contract. A plugin written for another version is refused by name. */
  readonly contract: 1
  /** Prefix of its settings, such as `plugins.slack`: `plugins.slack.channel` arrives in `open` as `channel`. */
  readonly settingsKey?: string
  /** Its kinds of steps. Nothing is started here: kinds that the user does not allow are opened, too. */
  open(settings: Readonly<Record<string, unknown>>): Promise<readonly StepKind[]>
}
