/** A rule the source keeps. A gate reads and answers; it changes nothing. */
import type { Finding } from './finding.ts'
import type { GatesConfig } from './gates-config.ts'
import type { Sources } from './sources.ts'

/** A rule the source keeps. A gate reads and answers; it changes nothing. */
export interface Gate {
  readonly id: string
  /** One sentence for `--help`, the text report and SARIF. */
  readonly promise: string
  /** The last part of each rule id, and what it means. */
  readonly rules: Readonly<Record<string, string>>
  /** Why it has nothing to do under this configuration; `undefined` when it has. */
  unconfigured?(config: GatesConfig): string | undefined
  check(sources: Sources, config: GatesConfig): Promise<readonly Finding[]>
}
