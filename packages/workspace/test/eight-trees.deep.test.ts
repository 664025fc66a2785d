import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@agentm/conformance/logs'
import { expect, it } from 'vitest'
import { crewForThisTest, expectUntouched, expectWhole } from './eight-trees.ts'

const rounds = 12
// Fewer than the crashes after which a step is set aside.
const killsOfARound = 4

it(
  'loses no edit and leaves every tree clean when workers are killed at random points',
  { timeout: 1_800_000 },
  async () => {
    const seed = Date.now()
    const random = seededRandom(seed)
    for (let round = 0; round < rounds; round += 1) {
      const crew = await crewForThisTest({ leaseMs: 3000 })
      const made = await crew.plan({ seconds: 0.1 })
      const ended = crew.harness.ended(made.planId)
      for (let kills = 0; kills < killsOfARound; kills += 1) {
        const worker = await crew.start()
        await sleep(random() * 1500)
        worker.kill('SIGKILL')
        expectUntouched(crew)
      }
      await Promise.all([crew.start(), crew.start()])
      const { status, errorMessage } = (await ended).payload
      expect({ status, errorMessage }, `seed ${seed}, round ${round}`).toEqual({ status: 'done' })
      expectUntouched(crew)
      await expectWhole(crew, made)
      await crew.close()
    }
  },
)
