import {
  backendContracts,
  type Contract,
  InMemoryBackend,
  InMemoryDerivedBackend,
  runConformance,
} from '@agentm/conformance'
import { describeBackend } from '@agentm/conformance/vitest'
import { describe, expect, it } from 'vitest'
import { Capabilities, type Locator, requireCapability, type WriteOptions } from '@agentm/storage-seam'
import { DirectoryBackend } from './planted/directory-backend.ts'
import { PersonalBackend } from './planted/personal-backend.ts'
import { inDirectory, plantedBackends } from './planted/planted-backends.ts'

const inOneProcess = backendContracts.filter((contract) => !needsProcesses(contract))

describe('planted faults', () => {
  it('are planted for every contract, and for nothing that is no contract', () => {
    expect(Object.keys(plantedBackends).toSorted()).toEqual(inOneProcess.map(({ id }) => id).toSorted())
  })

  it.each(Object.entries(plantedBackends))('in %s are found by that contract and by no other', async (id, planted) => {
    const report = await runConformance(planted.make, planted.options)
    expect(report.failed.map((failure) => failure.id)).toEqual([id])
  })

  it('are the only thing wrong: what they are planted in passes, and together skips nothing', async () => {
    const honest = [
      runConformance(async () => new InMemoryBackend()),
      runConformance(async () => new InMemoryDerivedBackend()),
      runConformance(async () => new PersonalBackend()),
      runConformance(async () => new ModestBackend()),
      runConformance(inDirectory(DirectoryBackend).make, inDirectory(DirectoryBackend).options),
    ]
    const reports = await Promise.all(honest)
    expect(reports.flatMap(({ failed }) => failed)).toEqual([])
    const passed = new Set(reports.flatMap((report) => report.passed.map(({ id }) => id)))
    const neverAsked = inOneProcess.filter(({ id }) => !passed.has(id))
    expect(neverAsked).toEqual([])
  })
})

describeBackend('over a directory', inDirectory(DirectoryBackend).make, inDirectory(DirectoryBackend).options)

function needsProcesses({ needs = [] }: Contract): boolean {
  return needs.includes('processes')
}

/** Promises nothing, and says so. */
class ModestBackend extends InMemoryBackend {
  override readonly capabilities = new Capabilities()

  override async write(at: Locator, text: string, { ifHash }: WriteOptions = {}) {
    if (ifHash !== undefined) requireCapability(this, 'conditionalWrite')
    return super.write(at, text)
  }

  override async remove() {
    requireCapability(this, 'removal')
  }
}
