import { InMemoryBackend, registryContracts, type RegistryVerbs, runContract } from '@agentm/conformance'
import { Capabilities, type StorageBackend } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

interface Registry {
  repos: { slug: string; root_path: string }[]
}

const at = (backend: StorageBackend) => backend.resolve('_meta', 'repos.json')

async function textIn(backend: StorageBackend): Promise<string | undefined> {
  return (await backend.exists(at(backend))) ? await backend.read(at(backend)) : undefined
}

function parsed(text: string | undefined): Registry {
  return text === undefined ? { repos: [] } : (JSON.parse(text) as Registry)
}

/** A known entry is changed in the text, so that what others wrote stays. */
function registered(text: string | undefined, slug: string, rootPath: string): string {
  const registry = parsed(text)
  const known = registry.repos.find((repo) => repo.slug === slug)
  if (known !== undefined && text !== undefined) return text.replace(known.root_path, rootPath)
  registry.repos.push({ slug, root_path: rootPath })
  return JSON.stringify(registry)
}

const forgetful: RegistryVerbs = {
  registerRepo: async (backend, { slug, rootPath }) =>
    await backend.update(at(backend), (text) => registered(text, slug, rootPath)),
  unregisterRepo: async (backend, slug) => {
    let found = false
    await backend.update(at(backend), (text) => {
      const { repos } = parsed(text)
      found = repos.some((repo) => repo.slug === slug)
      return found ? JSON.stringify({ repos: repos.filter((repo) => repo.slug !== slug) }) : undefined
    })
    return found
  },
  readRepos: async (backend) =>
    parsed(await textIn(backend)).repos.map((repo) => ({ slug: repo.slug, rootPath: repo.root_path })),
}

const kept = new WeakMap<StorageBackend, Map<string, string>>()

const keptOf = (backend: StorageBackend) => kept.get(backend) ?? new Map<string, string>()

/** Remembers beside the registry what was registered, and puts it back. */
function remembering(verbs: RegistryVerbs): RegistryVerbs {
  const missingIn = async (backend: StorageBackend) => {
    const there = new Set((await verbs.readRepos(backend)).map(({ slug }) => slug))
    return [...keptOf(backend)].filter(([slug]) => !there.has(slug))
  }
  return {
    async registerRepo(backend, repo) {
      const before = new Map(keptOf(backend))
      const missing = before.size === 0 ? [] : await missingIn(backend)
      for (const [slug, root] of missing) await backend.update(at(backend), (text) => registered(text, slug, root))
      await verbs.registerRepo(backend, repo)
      kept.set(backend, keptOf(backend).set(repo.slug, repo.rootPath))
    },
    async unregisterRepo(backend, slug) {
      keptOf(backend).delete(slug)
      return await verbs.unregisterRepo(backend, slug)
    },
    async readRepos(backend) {
      const repos = await verbs.readRepos(backend)
      return [...repos, ...(await missingIn(backend)).map(([slug, rootPath]) => ({ slug, rootPath }))]
    },
  }
}

const honest = remembering(forgetful)
const planted = (fault: Partial<RegistryVerbs>) => remembering({ ...forgetful, ...fault })

/** Each breaks one contract. */
const faults: Record<string, RegistryVerbs> = {
  'registry-empty': planted({
    readRepos: async (backend) => {
      if ((await textIn(backend)) === undefined) await backend.write(at(backend), '{"repos":[]}')
      return await forgetful.readRepos(backend)
    },
  }),
  'registry-cycle': planted({ unregisterRepo: async () => await Promise.resolve(true) }),
  'registry-again': planted({
    registerRepo: async (backend, { slug, rootPath }) =>
      await backend.update(at(backend), (text) => {
        const { repos } = parsed(text)
        if (text?.includes('caf') === true) return registered(text, slug, rootPath)
        return JSON.stringify({ repos: [...repos.filter((repo) => repo.slug !== slug), { slug, root_path: rootPath }] })
      }),
  }),
  'registry-at-once': {
    ...honest,
    registerRepo: async (backend, repo) => {
      if (!/^r\d/.test(repo.slug)) return await honest.registerRepo(backend, repo)
      const text = await textIn(backend)
      return await backend.update(at(backend), () => registered(text, repo.slug, repo.rootPath))
    },
  },
  'registry-foreign-keys': planted({
    registerRepo: async (backend, { slug, rootPath }) =>
      await backend.update(at(backend), (text) => {
        const registry = parsed(registered(text, slug, rootPath))
        return JSON.stringify(registry)
      }),
  }),
  'registry-stale-copy': forgetful,
  'registry-corrupt': planted({
    registerRepo: async (backend, { slug, rootPath }) =>
      await backend.update(at(backend), (text) =>
        registered(text?.endsWith('[') === true ? undefined : text, slug, rootPath),
      ),
  }),
  'registry-without-condition': planted({
    registerRepo: async (backend, repo) => {
      if (backend.capabilities.conditionalWrite) return await forgetful.registerRepo(backend, repo)
      return await backend.write(at(backend), registered(await textIn(backend), repo.slug, repo.rootPath))
    },
  }),
}

class Plain extends InMemoryBackend {
  override readonly capabilities = new Capabilities()
}

async function broken(verbs: RegistryVerbs): Promise<string[]> {
  const ids: string[] = []
  for (const contract of registryContracts(verbs)) {
    const makes = contract.unless === undefined ? async () => new InMemoryBackend() : async () => new Plain()
    const verdict = await runContract(contract, makes)
    expect(verdict.outcome).not.toBe('skipped')
    if (verdict.outcome === 'failed') ids.push(contract.id)
  }
  return ids
}

describe('the registry contracts', () => {
  it('are kept by a registry that keeps them', async () => {
    expect(await broken(honest)).toEqual([])
  })

  it.each(registryContracts(honest).map(({ id }) => [id]))('%s is broken by a fault, and alone', async (id) => {
    expect(await broken(faults[id] ?? honest)).toEqual([id])
  })
})
