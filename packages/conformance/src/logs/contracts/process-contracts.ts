import { ada, observationId, readySteps, stepId } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'

export const processContracts: readonly LogContract[] = [
  {
    id: 'claim-race',
    sentence: 'of several processes that all try to claim every step, each step is won by exactly one',
    needs: ['processes'],
    async check({ store, crew, scale }) {
      const steps = 100 * scale
      await readySteps(store, numbered('s', steps))
      const mates = Array.from({ length: scale > 1 ? 8 : 4 }, (_, seed) => crew.start({ do: 'race', steps, seed }))
      const won = (await Promise.all(mates.map((mate) => mate.done()))).flat(2).map(String)
      must.equal(won.toSorted(), numbered('s', steps).toSorted(), 'winners')
      must.equal((await store.log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'take-race',
    sentence: 'of several processes that take at once, no two get the same step and none is left',
    needs: ['processes'],
    async check({ store, crew, scale }) {
      const steps = 200 * scale
      await readySteps(store, numbered('s', steps))
      const mates = Array.from({ length: scale > 1 ? 8 : 4 }, () => crew.start({ do: 'take', k: 3 }))
      const won = (await Promise.all(mates.map((mate) => mate.done()))).flat(2).map(String)
      must.equal(won.toSorted(), numbered('s', steps).map(stepId).toSorted(), 'taken steps')
    },
  },
  {
    id: 'writers-and-reader',
    sentence: 'two processes append side by side while a third follows, without an error or a version out of order',
    needs: ['processes'],
    async check({ store, crew, scale }) {
      const count = 300 * scale
      const reader = crew.start({ do: 'follow', count: 2 * count })
      await reader.saidSoMany(1)
      const writers = ['a', 'b'].map((prefix) => crew.start({ do: 'append', prefix, count, durability: 'normal' }))
      for (const writer of writers) must.equal((await writer.done()).length, count, 'acknowledged appends')
      const [, seqs] = await reader.done()
      const wanted = (await store.log.scan({ owner: 'ada', versions: 'all', limit: 10_000 })).nodes.map(
        ({ seq }) => seq,
      )
      must.equal(wanted.length, Math.min(2 * count, 10_000), 'versions in the log')
      must.equal(Array.isArray(seqs) ? seqs.slice(0, 10_000) : seqs, wanted, 'sequence numbers the reader saw')
    },
  },
  {
    id: 'killed-writer',
    sentence: 'a writer killed at any moment loses nothing it was told is written',
    needs: ['processes'],
    async check({ store, crew, scale }) {
      for (let round = 0; round < 3 * scale; round++) {
        const prefix = `r${round}x`
        const writer = crew.start({ do: 'append', prefix, count: 100_000, durability: 'full' })
        await writer.saidSoMany(20 + 37 * (round % 7))
        await writer.kill()
        for (const id of writer.said)
          must.hold((await store.log.latest(observationId(String(id)), ada)) !== undefined, `${String(id)} is there`)
      }
      must.equal((await store.log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'noticed-death',
    sentence: 'the death of a process that holds its session is noticed long before its lease ends',
    needs: ['processes'],
    async check({ store, crew }) {
      await readySteps(store, ['a'])
      const worker = crew.start({ do: 'hold', leaseMs: 60_000 })
      await worker.saidSoMany(1)
      must.equal(await store.work.abandoned({ owners: ['ada'] }), [], 'abandoned steps while it lives')
      await worker.kill()
      const killed = Date.now()
      const found = async () => (await store.work.abandoned({ owners: ['ada'] })).map(({ node, why }) => [node.id, why])
      while ((await found()).length === 0 && Date.now() - killed < 2_000) await new Promise((go) => setTimeout(go, 50))
      must.equal(await found(), [[stepId('a'), 'vanished']], 'abandoned steps within two seconds')
    },
  },
]

function numbered(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`)
}
