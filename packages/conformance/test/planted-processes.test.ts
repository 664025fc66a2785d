import { backendContracts, pluginSubject, runConformance } from '@agentm/conformance'
import { describe, expect, it } from 'vitest'
import { plugin } from './planted/journal.mjs'
import { plantedProcess, processContractIds } from './planted/planted-process.ts'

describe('faults between processes', () => {
  // That no other contract fails with it takes every contract for every fault: planted-processes.deep.test.ts.
  it.each(processContractIds)('planted against %s are found by that contract', { timeout: 120_000 }, async (id) => {
    const { make, options } = pluginSubject(plugin, plantedProcess(id))
    const report = await runConformance(make, { ...options, only: [id] })
    expect(report.failed.map((failure) => failure.id)).toEqual([id])
  })

  it('are the only thing wrong: the backend they are planted in passes everything', { timeout: 120_000 }, async () => {
    const { make, options } = pluginSubject(plugin, plantedProcess('none'))
    const report = await runConformance(make, { ...options, scale: 0.4 })
    expect(report.failed).toEqual([])
    expect(report.passed.map(({ id }) => id)).toEqual(expect.arrayContaining([...processContractIds]))
    expect(report.passed.length + report.skipped.length).toBe(backendContracts.length)
  })
})
