/** The write into a person's own space: only with a grant that fits, and each grant once. */
import { contentHash, Locator, type PersonalGrant, type StorageBackend } from '@agentm/storage-seam'
import type { Contract } from '../contract.ts'
import { must } from '../must.ts'

export const personalContracts: readonly Contract[] = [
  personal('personal-grant-fits', 'makes a personal write with a grant for it', async (backend) => {
    const written = await backend.personalWrite(
      new Locator('granted.md'),
      'Größe 📝',
      grantFor('granted.md', 'Größe 📝'),
    )
    must.equal(written.key, 'granted.md', 'the place a personal write answers')
  }),
  personal('personal-grant-target', 'refuses a grant for another place', async (backend) => {
    await refused(backend, 'aimed.md', grantFor('elsewhere.md', 'text'))
  }),
  personal('personal-grant-text', 'refuses a grant for another text', async (backend) => {
    await refused(backend, 'worded.md', grantFor('worded.md', 'the text that was shown'))
  }),
  personal('personal-grant-expired', 'refuses a grant that came too late', async (backend) => {
    await refused(backend, 'late.md', { ...grantFor('late.md', 'text'), expires: Date.now() / 1000 - 60 })
  }),
  personal('personal-grant-once', 'takes each grant only once', async (backend) => {
    const grant = grantFor('once.md', 'text')
    await backend.personalWrite(new Locator('once.md'), 'text', grant)
    await refused(backend, 'once.md', grant)
  }),
]

function personal(id: string, sentence: string, check: (backend: StorageBackend) => Promise<void>): Contract {
  return {
    id,
    sentence,
    needs: ['personalWrite'],
    async check({ backend }) {
      await check(backend)
      return undefined
    },
  }
}

async function refused(backend: StorageBackend, key: string, grant: PersonalGrant): Promise<void> {
  const attempt = async () => backend.personalWrite(new Locator(key), 'text', grant)
  await must.refuse(attempt, 'GRANT_REFUSED', 'a personal write with a grant that does not fit')
}

function grantFor(target: string, text: string): PersonalGrant {
  return {
    id: `grant for ${target}`,
    target,
    hash: contentHash(text),
    replaces: null,
    expires: Date.now() / 1000 + 600,
  }
}
