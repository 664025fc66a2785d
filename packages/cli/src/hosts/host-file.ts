/** What a host keeps of us in one file: what is added to it, and what of it we recognise as ours later. */

export type HostFile = HostDocument | HostText

/** A configuration file that others write, too. */
export interface HostDocument {
  readonly path: string
  readonly format: 'json' | 'toml'
  readonly parts: readonly HostPart[]
}

/** A file that is wholly ours. */
export interface HostText {
  readonly path: string
  readonly format: 'text'
  readonly name: PartName
  readonly text: string
  /** What we wrote there on another machine, or before agentm was installed. */
  readonly ours: readonly string[]
}

export interface PartName {
  readonly noun: 'the MCP server' | 'the hook' | 'the plugin' | 'the rule'
  readonly name: string
}

export type HostPart =
  /** The value of a key. */
  | {
      readonly kind: 'entry'
      readonly name: PartName
      readonly keys: Keys
      readonly value: Value
      readonly ours: readonly Value[]
    }
  /** One value of a list; `mark` is in it whatever else a person changed. */
  | {
      readonly kind: 'item'
      readonly name: PartName
      readonly keys: Keys
      readonly value: Value
      readonly ours: readonly Value[]
      readonly mark: string
    }
  /** What the host wants in a file beside ours: written into a new one, and left as long as anything else is there. */
  | { readonly kind: 'setting'; readonly keys: Keys; readonly value: string | number }

export type Keys = readonly [string, ...string[]]
export type Value = Readonly<Record<string, unknown>>

/** What became of one part, or will. `kept`: a person changed it, so it is theirs. */
export interface Step {
  readonly name: PartName
  readonly outcome: 'added' | 'replaced' | 'present' | 'removed' | 'absent' | 'kept'
}

/** A file as it will be: `undefined` where it is not there. */
export interface Edited {
  readonly text: string | undefined
  readonly steps: readonly Step[]
}

/** A file that cannot be changed as it is. */
export class HostConfigError extends Error {
  override readonly name = 'HostConfigError'
  readonly code = 'HOST_CONFIG'
}
