import { expect, it } from 'vitest'
import { nodeReadings } from '@agentm/memory/reader'
import { planReadings } from '@agentm/harness/readings'
import { logConcepts } from '../src/log-concepts.ts'

it('opens the local file with a reading of every concept of the log that recall can find', () => {
  const recallable = logConcepts.filter((concept) => concept.recallable !== undefined)
  expect(recallable.length).toBeGreaterThan(3)
  const readings = new Map([...nodeReadings, ...planReadings].map((reading) => [reading.name, reading]))
  for (const { name, recallable: whole } of recallable) expect(readings.get(name)?.recallable).toEqual(whole)
  expect(readings.size).toBe(recallable.length)
})
