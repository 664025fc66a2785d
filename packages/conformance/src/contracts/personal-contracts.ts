/** The write into a person's own notes: only with a valid grant, each grant once, and only over the text that the person saw. */
import { Locator, type PersonalGrant } from '@agentm/storage-seam'
import type { Contract, World } from '../contract.ts'
import { must } from '../must.ts'

export const personalContracts: readonly Contract[] = [
  personal('personal-grant-fits', 'makes a personal write with a grant for it', async (world) => {
    const at = new Locator('granted.md')
    const written = await world.backend.personalWrite(at, 'Größe 📝', grantFor(world, 'granted.md', 'Größe 📝'))
    must.equal(written.key, 'granted.md', 'the place a personal write answers')
  }),
  personal('personal-grant-target', 'refuses a grant for another place', async (world) => {
    await refused(world, 'aimed.md', grantFor(world, 'elsewhere.md', 'text'))
  }),
  personal('personal-grant-text', 'refuses a grant for another text', async (world) => {
    await refused(world, 'worded.md', grantFor(world, 'worded.md', 'the text that was shown'))
  }),
  personal('personal-grant-expired', 'refuses a grant that came too late', async (world) => {
    const aDayAgo = Date.now() - 86_400_000
    await refused(world, 'late.md', grantFor(world, 'late.md', 'text', { now: aDayAgo }))
  }),
  personal('personal-grant-once', 'takes each grant only once', async (world) => {
    const at = new Locator('once.md')
    await world.backend.personalWrite(at, 'text', grantFor(world, 'once.md', 'text'))
    // The same text again, so that only the earlier use of the grant can refuse the second write.
    const grant = grantFor(world, 'once.md', 'text', { replaces: 'text' })
    await world.backend.personalWrite(at, 'text', grant)
    await refused(world, 'once.md', grant)
  }),
  personal('personal-grant-seen', 'makes no personal write over a text the person did not see', async (world) => {
    const at = new Locator('seen.md')
    await world.backend.personalWrite(at, 'theirs', grantFor(world, 'seen.md', 'theirs'))
    for (const replaces of [undefined, 'another text']) {
      const grant = grantFor(world, 'seen.md', 'ours', { replaces })
      const attempt = async () => world.backend.personalWrite(at, 'ours', grant)
      await must.refuse(attempt, 'CONCURRENT_MODIFICATION', 'a personal write over what was not seen')
    }
    await world.backend.personalWrite(at, 'ours', grantFor(world, 'seen.md', 'ours', { replaces: 'theirs' }))
  }),
]

function personal(id: string, sentence: string, check: (world: World) => Promise<void>): Contract {
  return {
    id,
    sentence,
    needs: ['personalWrite'],
    async check(world) {
      await check(world)
      return undefined
    },
  }
}

async function refused({ backend }: World, key: string, grant: PersonalGrant): Promise<void> {
  const attempt = async () => backend.personalWrite(new Locator(key), 'text', grant)
  await must.refuse(attempt, 'GRANT_REFUSED', 'a personal write with a grant that does not fit')
}

function grantFor(
  { grant }: World,
  target: string,
  text: string,
  { replaces, now = Date.now() }: { readonly replaces?: string | undefined; readonly now?: number } = {},
): PersonalGrant {
  return grant({ target: new Locator(target), text, replaces, now })
}
