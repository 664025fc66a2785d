/**
 * A person's permission for one write into their own space: this target, this text, until then, once. Only the command
 * that asked the person makes one; the backend uses it up.
 */
export interface PersonalGrant {
  /** Distinguishes two grants for the same text; a backend takes each only once. */
  readonly id: string
  /** Key of the target, relative to the personal root. */
  readonly target: string
  /** `contentHash` of the text that was shown. */
  readonly hash: string
  /** `contentHash` of the text the person saw there before; `null`: nothing was there. */
  readonly replaces: string | null
  /** Epoch seconds after which it is void. */
  readonly expires: number
}
