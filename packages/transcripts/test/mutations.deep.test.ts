import { expect, it } from 'vitest'
import { transcriptHosts } from '@agentm/transcripts'
import { faultsOf } from './mutation-check.ts'
import { corpus, mutated, seeded } from './mutations.ts'

it.each(transcriptHosts)(
  '2,000 damaged transcripts of %s lose no record and stop no reader, and give the same events twice',
  async (host) => {
    const lines = await corpus(host)
    for (let number = 0; number < 2000; number += 1) {
      const random = seeded(number)
      const damaged = mutated(lines, random)
      expect({ number, faults: await faultsOf(host, damaged, random) }).toEqual({ number, faults: [] })
    }
  },
)
