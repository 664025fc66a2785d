/**
 * Permissions for writing into a person's own notes. A grant is valid only in the process that asked the person, because it is recognised
 * by object identity: a copy, or a grant read from a file, is refused. Its first use consumes it. The caller of `grantPersonalWrite`
 * guarantees that a person has seen the text.
 */
import { randomUUID } from 'node:crypto'
import { contentHash, GrantRefusedError, type Locator, type PersonalGrant } from '@agentm/storage-seam'

export interface PersonalWriteSeen {
  readonly target: Locator
  /** The text that the person was shown. */
  readonly text: string
  /** The file's earlier text that the person was shown; `undefined` if there was no file. */
  readonly replaces: string | undefined
  /** When the person agreed, in epoch milliseconds. */
  readonly now: number
}

const validForSeconds = 120

/** All copies of this package in a process share the grants, like the registry of backends. */
const slot = Symbol.for('@agentm/backend-vault/personal-grants/1')
const shared = globalThis as { [slot]?: WeakSet<PersonalGrant> }
const unused: WeakSet<PersonalGrant> = (shared[slot] ??= new WeakSet())

export function grantPersonalWrite({ target, text, replaces, now }: PersonalWriteSeen): PersonalGrant {
  const grant = Object.freeze({
    id: randomUUID(),
    target: target.key,
    hash: contentHash(text),
    replaces: replaces === undefined ? null : contentHash(replaces),
    expires: now / 1000 + validForSeconds,
  })
  unused.add(grant)
  return grant
}

/** Consumes the grant, or throws. A refused grant is consumed too, because the write it was given for did not happen as shown. */
export function redeem(grant: PersonalGrant, at: Locator, text: string, now: number): void {
  const why = objection(grant, at, text, now)
  unused.delete(grant)
  if (why !== undefined)
    throw new GrantRefusedError(
      `${JSON.stringify(at.key)} was not written: ${why}. To try again: agentm personal write`,
    )
}

function objection(grant: PersonalGrant, at: Locator, text: string, now: number): string | undefined {
  if (!unused.has(grant)) return 'the permission was used before, or not given in this process'
  if (grant.target !== at.key) return `the permission is for ${JSON.stringify(grant.target)}`
  if (grant.hash !== contentHash(text)) return 'the permission is for another text'
  if (grant.expires <= now / 1000) return 'the permission has expired'
  return undefined
}
