/**
 * What a registry of repositories keeps on any backend: every registered repository once, and the data of other programs beside them. Its
 * functions are arguments, so that this package depends on no registry.
 */
import type { StorageBackend } from '@agentm/storage-seam'
import type { Contract } from './contract.ts'
import { must } from './must.ts'

/** The functions of a registry of repositories. */
export interface RegistryVerbs {
  readonly registerRepo: (
    backend: StorageBackend,
    repo: { readonly slug: string; readonly rootPath: string },
  ) => Promise<unknown>
  readonly unregisterRepo: (backend: StorageBackend, slug: string) => Promise<boolean>
  readonly readRepos: (
    backend: StorageBackend,
  ) => Promise<readonly { readonly slug: string; readonly rootPath: string }[]>
}

/**
 * The contracts of a registry of repositories. You pass its functions.
 *
 * @example
 * ```ts
 * import { InMemoryBackend, registryContracts, runContract } from '@agentm/conformance'
 * import { readRepos, registerRepo, unregisterRepo } from '@agentm/routing'
 *
 * for (const contract of registryContracts({ registerRepo, unregisterRepo, readRepos })) {
 *   const { outcome } = await runContract(contract, async () => new InMemoryBackend())
 *   console.log(contract.sentence, outcome)
 * }
 * ```
 */
export function registryContracts(verbs: RegistryVerbs): readonly Contract[] {
  return [...registering(verbs), ...besideOthers(verbs), refusing(verbs)]
}

/** The key where every program that shares a store looks for the registry. */
const registryKey = ['_meta', 'repos.json'] as const

function registering({ registerRepo, unregisterRepo, readRepos }: RegistryVerbs): Contract[] {
  return [
    {
      id: 'registry-empty',
      sentence: 'a store without a registry has no repositories, and gets no file by being asked',
      async check({ backend }) {
        must.equal(await readRepos(backend), [], 'the repositories of a fresh store')
        must.hold(!(await backend.exists(backend.resolve(...registryKey))), 'reading made a registry')
        return undefined
      },
    },
    {
      id: 'registry-cycle',
      sentence: 'a repository is registered, listed, unregistered and gone',
      needs: ['conditionalWrite'],
      async check({ backend }) {
        await registerRepo(backend, { slug: 'one', rootPath: '/one' })
        await registerRepo(backend, { slug: 'two', rootPath: '/two' })
        must.equal(await slugsIn(backend, readRepos), ['one', 'two'], 'the repositories after two registrations')
        must.equal(await unregisterRepo(backend, 'one'), true, 'unregistering a repository')
        must.equal(await slugsIn(backend, readRepos), ['two'], 'the repositories after unregistering one')
        must.equal(await unregisterRepo(backend, 'one'), false, 'unregistering it again')
        return undefined
      },
    },
    {
      id: 'registry-again',
      sentence: 'registering again updates the entry in its place',
      needs: ['conditionalWrite'],
      async check({ backend }) {
        await registerRepo(backend, { slug: 'one', rootPath: '/old' })
        await registerRepo(backend, { slug: 'two', rootPath: '/two' })
        await registerRepo(backend, { slug: 'one', rootPath: '/new' })
        const found = (await readRepos(backend)).map(({ slug, rootPath }) => `${slug} ${rootPath}`)
        must.equal(found, ['one /new', 'two /two'], 'the repositories after registering one again')
        return undefined
      },
    },
    {
      id: 'registry-at-once',
      sentence: 'loses none of many registrations made at once',
      needs: ['conditionalWrite'],
      async check({ backend, scale }) {
        const slugs = Array.from({ length: 12 * scale }, (_, i) => `r${String(i).padStart(4, '0')}`)
        await Promise.all(slugs.map(async (slug) => registerRepo(backend, { slug, rootPath: `/${slug}` })))
        must.equal((await slugsIn(backend, readRepos)).toSorted(byText), slugs, 'the repositories afterwards')
        return undefined
      },
    },
  ]
}

function besideOthers({ registerRepo, readRepos }: RegistryVerbs): Contract[] {
  return [
    {
      id: 'registry-foreign-keys',
      sentence: 'keeps, byte for byte, what other programs keep in the registry',
      needs: ['conditionalWrite'],
      async check({ backend }) {
        const at = backend.resolve(...registryKey)
        await backend.write(at, theirs('/old'))
        await registerRepo(backend, { slug: 'caf\u00e9', rootPath: '/new' })
        must.equal(await backend.read(at), theirs('/new'), 'the registry after updating one path')
        return undefined
      },
    },
    {
      id: 'registry-stale-copy',
      sentence: 'keeps what was registered when another program writes an older copy of the registry back',
      needs: ['conditionalWrite'],
      async check({ backend }) {
        const at = backend.resolve(...registryKey)
        await registerRepo(backend, { slug: 'one', rootPath: '/one' })
        const old = await backend.read(at)
        await registerRepo(backend, { slug: 'two', rootPath: '/two' })
        await backend.write(at, old)
        must.equal(await slugsIn(backend, readRepos), ['one', 'two'], 'the repositories after the older copy')
        await registerRepo(backend, { slug: 'three', rootPath: '/three' })
        must.hold((await backend.read(at)).includes('"two"'), 'the next registration did not put it back')
        return undefined
      },
    },
    {
      id: 'registry-corrupt',
      sentence: 'refuses a registry it does not understand, and leaves it',
      needs: ['conditionalWrite'],
      async check({ backend }) {
        const at = backend.resolve(...registryKey)
        await backend.write(at, '{"repos": [')
        await must.fail(async () => readRepos(backend), 'reading half a registry')
        await must.fail(async () => registerRepo(backend, { slug: 'one', rootPath: '/one' }), 'registering in it')
        must.equal(await backend.read(at), '{"repos": [', 'the registry afterwards')
        return undefined
      },
    },
  ]
}

function refusing({ registerRepo }: RegistryVerbs): Contract {
  return {
    id: 'registry-without-condition',
    sentence: 'a backend without conditional writes is told so, and nothing is registered half',
    unless: 'conditionalWrite',
    async check({ backend }) {
      const attempt = async () => registerRepo(backend, { slug: 'one', rootPath: '/one' })
      await must.refuse(attempt, 'UNSUPPORTED_CAPABILITY', 'registering without conditional writes')
      must.hold(!(await backend.exists(backend.resolve(...registryKey))), 'the refusal left a registry')
      return undefined
    },
  }
}

/** The registry as a Python program writes it, with extra keys at both levels. */
function theirs(rootPath: string): string {
  const entry = [`"slug": "caf\\u00e9"`, `"root_path": "${rootPath}"`, '"10": 1.0', '"9": 12345678901234567890']
  return `{
  "zz": {},
  "version": 1,
  "repos": [
    {
      ${entry.join(',\n      ')}
    }
  ]
}
`
}

async function slugsIn(backend: StorageBackend, readRepos: RegistryVerbs['readRepos']): Promise<string[]> {
  return (await readRepos(backend)).map(({ slug }) => slug)
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
