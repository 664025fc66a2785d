import { pluginSubject, runConformance } from '@agentm/conformance'
import { describe, expect, it } from 'vitest'
import { plugin } from './planted/journal.mjs'
import { plantedProcess, processContractIds } from './planted/planted-process.ts'

describe('faults between processes', () => {
  it.each(processContractIds)('planted against %s make no other contract fail', { timeout: 300_000 }, async (id) => {
    const { make, options } = pluginSubject(plugin, plantedProcess(id))
    const report = await runConformance(make, { ...options, scale: 2 })
    expect(report.failed.map((failure) => failure.id)).toEqual([id])
  })
})
