/** What a coding agent is started with so that it can do no more than a policy allows. */
import type { ClientPolicy } from './client-policy.ts'

export interface ClientGrant {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** The text of a file that it reads, by the argument or the variable that names the file. */
  readonly files: Readonly<Record<`--${string}` | `$${string}`, string>>
  /** What the policy allows and this agent does not get, because it could not be held to it. */
  readonly withheld: readonly string[]
}

/** `refused`: nothing that this agent can be started with is within the policy. */
export type GrantOf = (policy: ClientPolicy) => ClientGrant | { readonly refused: string }

export const nothingGranted: ClientGrant = { args: [], environment: {}, files: {}, withheld: [] }
