/** The in-memory reference with a personal space beside it, for faults in what a grant allows. */
import { InMemoryBackend } from '@agentm/conformance'
import { Capabilities, contentHash, GrantRefusedError, type Locator, type PersonalGrant } from '@agentm/storage-seam'

export class PersonalBackend extends InMemoryBackend {
  override readonly capabilities: Capabilities = new Capabilities({
    conditionalWrite: true,
    removal: true,
    personalWrite: true,
  })
  readonly #used = new Set<string>()
  readonly #space = new InMemoryBackend()

  override async personalWrite(at: Locator, text: string, grant: PersonalGrant): Promise<Locator> {
    const flaw = this.flaw(at, text, grant)
    if (flaw !== undefined) throw new GrantRefusedError(`the grant is for ${flaw}`)
    this.#used.add(grant.id)
    return this.#space.write(at, text, this.overWhat(grant))
  }

  protected flaw(at: Locator, text: string, grant: PersonalGrant): Flaw | undefined {
    if (grant.target !== at.key) return 'another place'
    if (grant.hash !== contentHash(text)) return 'another text'
    if (grant.expires < Date.now() / 1000) return 'an earlier time'
    return this.#used.has(grant.id) ? 'a write that was made' : undefined
  }

  protected overWhat(grant: PersonalGrant): { readonly ifHash?: string | null } {
    return { ifHash: grant.replaces }
  }
}

export type Flaw = 'another place' | 'another text' | 'an earlier time' | 'a write that was made'

/** Takes a grant with this flaw, and only with this one. */
export function overlooking(flaw: Flaw): PersonalBackend {
  return new (class extends PersonalBackend {
    protected override flaw(at: Locator, text: string, grant: PersonalGrant): Flaw | undefined {
      const found = super.flaw(at, text, grant)
      return found === flaw ? undefined : found
    }
  })()
}
