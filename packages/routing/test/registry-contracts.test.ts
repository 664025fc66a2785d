import { InMemoryBackend, type MakeBackend, registryContracts, runContract } from '@agentm/conformance'
import { readRepos, registerRepo, unregisterRepo } from '@agentm/routing'
import { Capabilities } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

class Plain extends InMemoryBackend {
  override readonly capabilities = new Capabilities()
}

const backends: readonly (readonly [string, MakeBackend])[] = [
  ['in memory', async () => await Promise.resolve(new InMemoryBackend())],
  ['without conditional writes', async () => await Promise.resolve(new Plain())],
]

describe.each(backends)('the registry on a backend %s', (_, make) => {
  it.each(
    registryContracts({ registerRepo, unregisterRepo, readRepos }).map((contract) => [contract.sentence, contract]),
  )('%s', async (__, contract) => {
    const verdict = await runContract(contract, make)
    expect(verdict.outcome === 'failed' ? verdict.error : undefined).toBeUndefined()
  })
})
