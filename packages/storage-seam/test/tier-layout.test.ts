import { Locator, Tier, TierLayout } from '@agentm/storage-seam'
import { TierLayoutError } from '../src/errors.ts'
import { describe, expect, it } from 'vitest'

describe('TierLayout', () => {
  it('names its roots after the tiers by default', () => {
    const layout = new TierLayout()
    expect([Tier.SOURCE, Tier.SHARED_ABSTRACTS, Tier.LOCAL_INDEX].map((tier) => layout.rootFor(tier).key)).toEqual([
      'source',
      'shared-abstracts',
      'local-index',
    ])
    expect(layout.neverSyncRoot.key).toBe('local-index')
  })

  it('refuses two tiers with one root, however it is spelled', () => {
    expect(() => new TierLayout({ source: new Locator('a'), sharedAbstracts: new Locator('/a/') })).toThrow(
      TierLayoutError,
    )
  })

  it('refuses a local index inside a replicated root, and takes one beside it', () => {
    const source = new Locator('a')
    expect(() => new TierLayout({ source, localIndex: new Locator('a/index') })).toThrow('inside the synced root "a"')
    expect(() => new TierLayout({ source, localIndex: new Locator('ab/index') })).not.toThrow()
  })

  it('lets abstracts live below the source: both may be replicated', () => {
    expect(() => new TierLayout({ source: new Locator('a'), sharedAbstracts: new Locator('a/b') })).not.toThrow()
  })
})

describe('Tier', () => {
  it('never syncs the local index, and only derived tiers can be rebuilt', () => {
    expect(Object.values(Tier).map((tier) => [tier.value, tier.syncs, tier.derived])).toEqual([
      ['source', true, false],
      ['shared-abstracts', true, true],
      ['local-index', false, true],
    ])
  })
})
