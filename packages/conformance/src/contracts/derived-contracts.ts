/** A derived layer has no data of its own: it is empty until it is built, and each rebuild follows the source. */
import { type DerivedMaintenance, Tier } from '@agentm/storage-seam'
import type { Contract, World } from '../contract.ts'
import { must } from '../must.ts'
import { textsBelow } from '../texts-below.ts'

export const derivedContracts: readonly Contract[] = [
  {
    id: 'derived-empty-before',
    sentence: 'derives nothing before it is asked to',
    needs: ['derivedMaintenance'],
    async check(world) {
      await writeSource(world)
      must.equal(await derived(world), new Map(), 'the derived tier before a reindex')
      return undefined
    },
  },
  {
    id: 'derived-identical',
    sentence: 'gives the same bytes each time it is rebuilt',
    needs: ['derivedMaintenance'],
    async check(world) {
      await writeSource(world)
      const built: Map<string, string>[] = []
      for (const _ of ['built', 'rebuilt']) {
        await maintenance(world).reindex(Tier.SHARED_ABSTRACTS)
        built.push(await derived(world))
      }
      must.equal(built[1], built[0], 'the derived tier, rebuilt')
      return undefined
    },
  },
  {
    id: 'derived-follows',
    sentence: 'follows the source when it is rebuilt',
    needs: ['derivedMaintenance'],
    async check(world) {
      await writeSource(world)
      await maintenance(world).reindex(Tier.SHARED_ABSTRACTS)
      const before = [...(await derived(world)).values()].join('\n')
      await world.backend.write(world.layout.source.child('one.md'), 'one, and then something else entirely\n')
      await maintenance(world).reindex(Tier.SHARED_ABSTRACTS)
      const after = [...(await derived(world)).values()].join('\n')
      must.hold(before !== '', 'a reindex derived nothing from two notes')
      must.hold(after !== before, 'the derived tier stayed as it was after its source changed')
      return undefined
    },
  },
  {
    id: 'derived-source-refused',
    sentence: 'refuses to rebuild the source',
    needs: ['derivedMaintenance'],
    async check(world) {
      await writeSource(world)
      await must.fail(() => maintenance(world).reindex(Tier.SOURCE), 'a reindex of the source')
      must.equal(await world.backend.read(world.layout.source.child('one.md')), 'one\n', 'the source afterwards')
      return undefined
    },
  },
  {
    id: 'derived-changed-since',
    sentence: 'names the source notes that may have changed',
    needs: ['derivedMaintenance'],
    async check(world) {
      await writeSource(world)
      const changed = new Set((await maintenance(world).changedSince(0)).map(String))
      for (const name of ['one.md', 'two.md']) {
        const { key } = world.layout.source.child(name)
        must.hold(changed.has(key), `${key} is not among what changed since the epoch`)
      }
      return undefined
    },
  },
]

async function writeSource({ backend, layout }: World): Promise<void> {
  await backend.write(layout.source.child('one.md'), 'one\n')
  await backend.write(layout.source.child('two.md'), 'two\n')
}

async function derived({ backend, layout }: World): Promise<Map<string, string>> {
  return textsBelow(backend, layout.sharedAbstracts)
}

function maintenance({ backend }: World): DerivedMaintenance {
  if (backend.derivedMaintenance === undefined) throw new TypeError('the backend has no derived layer')
  return backend.derivedMaintenance
}
