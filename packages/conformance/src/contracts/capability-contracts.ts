/** What a backend declares, and that every undeclared verb is refused. */
import { capabilityNames, contentHash, Locator } from '@agentm/storage-seam'
import type { Contract } from '../contract.ts'
import { must } from '../must.ts'

export const capabilityContracts: readonly Contract[] = [
  {
    id: 'capabilities-frozen',
    sentence: 'declares every capability as yes or no, once and for all',
    async check({ backend }) {
      const { capabilities } = backend
      for (const name of capabilityNames) must.equal(typeof capabilities[name], 'boolean', `the type of ${name}`)
      must.hold(Object.isFrozen(capabilities), 'the capabilities can be changed by whoever reads them')
      const declared = capabilityNames.filter((name) => capabilities[name])
      const again = capabilityNames.filter((name) => backend.capabilities[name])
      must.equal(again, declared, 'the capabilities, asked again')
      return undefined
    },
  },
  {
    id: 'capabilities-conflicts',
    sentence: 'names a conflict strategy exactly when conflict files may turn up',
    async check({ backend }) {
      const wanted = backend.capabilities.conflictFiles ? 'whole-file' : 'none'
      must.equal(backend.conflictStrategy, wanted, `the conflict strategy beside conflictFiles`)
      return undefined
    },
  },
  {
    id: 'condition-undeclared',
    sentence: 'refuses a conditional write it does not declare, rather than ignoring the condition',
    unless: 'conditionalWrite',
    async check({ backend }) {
      const at = new Locator('unconditional.md')
      await backend.write(at, 'old')
      for (const ifHash of [contentHash('old'), contentHash('other'), null])
        await must.refuse(() => backend.write(at, 'new', { ifHash }), 'UNSUPPORTED_CAPABILITY', 'a conditional write')
      must.equal(await backend.read(at), 'old', 'the text after the refusals')
      return undefined
    },
  },
  {
    id: 'update-undeclared',
    sentence: 'refuses an update it does not declare',
    unless: 'conditionalWrite',
    async check({ backend }) {
      const at = new Locator('not-updated.md')
      await backend.write(at, 'old')
      await must.refuse(() => backend.update(at, () => 'new'), 'UNSUPPORTED_CAPABILITY', 'an update')
      must.equal(await backend.read(at), 'old', 'the text after the refusal')
      return undefined
    },
  },
  {
    id: 'removal-undeclared',
    sentence: 'refuses a removal it does not declare',
    unless: 'removal',
    async check({ backend }) {
      const at = new Locator('not-removed.md')
      await backend.write(at, 'old')
      await must.refuse(() => backend.remove(at), 'UNSUPPORTED_CAPABILITY', 'a removal')
      must.equal(await backend.read(at), 'old', 'the text after the refusal')
      return undefined
    },
  },
  {
    id: 'personal-undeclared',
    sentence: 'refuses a personal write it does not declare',
    unless: 'personalWrite',
    async check({ backend }) {
      const [at, text] = [new Locator('Personal note.md'), 'text']
      const grant = {
        id: 'grant-1',
        target: at.key,
        hash: contentHash(text),
        replaces: null,
        expires: Date.now() / 1000 + 60,
      }
      await must.refuse(() => backend.personalWrite(at, text, grant), 'UNSUPPORTED_CAPABILITY', 'a personal write')
      return undefined
    },
  },
]
