/**
 * A person's permission for one write into their own notes. It is valid once, for this target and this text, until it expires. Only the
 * command that asked the person creates a grant, and the backend consumes it.
 */
export interface PersonalGrant {
  /** Distinguishes two grants for the same text. A backend accepts each grant only once. */
  readonly id: string
  /** Key of the target, relative to the personal root. */
  readonly target: string
  /** `contentHash` of the text that the person was shown. */
  readonly hash: string
  /** `contentHash` of the file's text that the person saw before; `null` if there was no file. */
  readonly replaces: string | null
  /** When the grant expires, in epoch seconds. */
  readonly expires: number
}
