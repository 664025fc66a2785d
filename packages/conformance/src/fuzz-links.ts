/**
 * Plants random trees full of symbolic links in the directory of a backend, and calls every verb on them. Nothing outside the root may be
 * shown or changed. Links lead to files, to directories, through each other, in circles, nowhere, and to a neighbour whose name starts like
 * the root's.
 */
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { isSeamError, Locator, type StorageBackend } from '@agentm/storage-seam'
import { ContractBrokenError } from './contract-broken-error.ts'
import { fileTree } from './file-tree.ts'
import type { MakeBackend } from './run-contract.ts'
import { SeededChoice } from './seeded-choice.ts'

export interface LinkFuzz {
  readonly make: MakeBackend
  readonly filesIn: (directory: string) => string
  readonly layouts: number
  readonly seed: number
}

export interface LinkFuzzReport {
  readonly layouts: number
  readonly links: number
  readonly verbs: number
  /** Number of refused calls by code. A layout without any refusal tests nothing. */
  readonly refused: Readonly<Record<string, number>>
}

const secret = 'a secret outside the store'
const secretName = 'asked-for.md'
/** A key that the contract never reads, so that only a directory listing can show it. */
const strangerName = 'stranger.md'

/**
 * Throws at the first access outside the root, with the seed of its layout.
 *
 * @example
 * ```ts
 * import { DeviceLocalBackend } from '@agentm/backend-device-local'
 * import { fuzzLinks } from '@agentm/conformance'
 *
 * const make = async (directory: string) => new DeviceLocalBackend(directory)
 * const report = await fuzzLinks({ make, filesIn: (directory) => directory, layouts: 20, seed: 7 })
 * ```
 */
export async function fuzzLinks({ make, filesIn, layouts, seed }: LinkFuzz): Promise<LinkFuzzReport> {
  const refused: Record<string, number> = {}
  let links = 0
  let verbs = 0
  for (let layout = 0; layout < layouts; layout++) {
    const found = await fuzzLayout(make, filesIn, seed + layout)
    links += found.links
    verbs += found.answers.length
    for (const code of found.answers) if (code !== 'done') refused[code] = (refused[code] ?? 0) + 1
  }
  return { layouts, links, verbs, refused }
}

async function fuzzLayout(make: MakeBackend, filesIn: LinkFuzz['filesIn'], seed: number) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'agentm-links-')))
  const random = new SeededChoice(seed)
  try {
    const store = join(home, 'store')
    await mkdir(store)
    const backend = await make(store)
    await backend.write(new Locator('a/kept.md'), 'kept')
    const root = filesIn(store)
    const outside = await plantOutside(home, root)
    const links = await plantLinks(random, root, outside)
    const before = await outsideTree(home, root)
    const answers = await tryVerbs(backend, random, seed)
    if (!sameTree(before, await outsideTree(home, root)))
      throw new ContractBrokenError(`something outside the root was changed (layout with seed ${seed})`)
    return { links, answers }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Creates a neighbour whose name starts like the root's, another neighbour, and a file, each with content that must not change. */
async function plantOutside(home: string, root: string): Promise<readonly [string, ...string[]]> {
  const neighbours = [`${root}-too`, join(home, 'elsewhere')] as const
  for (const neighbour of neighbours) {
    await mkdir(join(neighbour, 'deep'), { recursive: true })
    await writeFile(join(neighbour, secretName), secret)
    await writeFile(join(neighbour, strangerName), secret)
    await writeFile(join(neighbour, 'deep', secretName), secret)
  }
  return [...neighbours, join(neighbours[0], secretName), join(neighbours[1], 'deep'), join(neighbours[1], 'absent')]
}

const segments = ['a', 'b', 'c', 'kept.md', secretName] as const

async function plantLinks(
  random: SeededChoice,
  root: string,
  outside: readonly [string, ...string[]],
): Promise<number> {
  let planted = 0
  for (let i = 0; i < 3 + random.below(8); i++) {
    const at = join(root, ...path(random))
    const to = random.chance(0.6) ? random.pick(outside) : join(root, ...path(random))
    const target = random.chance(0.5) ? to : relative(dirname(at), to)
    // An existing link, or a file where a directory was wanted, stays, because it is a valid layout too.
    const made = await mkdir(dirname(at), { recursive: true })
      .then(async () => symlink(target, at))
      .then(() => 1)
      .catch(() => 0)
    planted += made
  }
  return planted
}

async function tryVerbs(backend: StorageBackend, random: SeededChoice, seed: number): Promise<readonly string[]> {
  const answers: string[] = []
  for (let i = 0; i < 24; i++) {
    const at = new Locator(path(random).join('/'))
    const verb = random.pick(verbs)
    try {
      const shown = await verb(backend, at)
      if (shown.includes(secret) || shown.includes(strangerName))
        throw new ContractBrokenError(`${at.key} shows what lies outside the root (layout with seed ${seed})`)
      answers.push('done')
    } catch (error) {
      if (error instanceof ContractBrokenError) throw error
      answers.push(isSeamError(error) ? error.code : String((error as { readonly code?: unknown }).code))
    }
  }
  return answers
}

/** Each verb returns, as text, what it showed. */
const verbs: readonly [Verb, ...Verb[]] = [
  async (backend, at) => backend.read(at),
  async (backend, at) => (await backend.list(at)).map(({ key }) => key).join('\n'),
  async (backend, at) => String((await backend.info(at)).size),
  async (backend, at) => String(await backend.exists(at)),
  async (backend, at) => (await backend.write(at, 'written')).key,
  async (backend, at) => (await backend.write(at.child('new', 'note.md'), 'written')).key,
  async (backend, at) => (await backend.mkdir(at.child('made'))).key,
  async (backend, at) => (await backend.update(at, (current = '') => `${current}!`)) ?? '',
  async (backend, at) => {
    await backend.remove(at)
    return ''
  },
]

type Verb = (backend: StorageBackend, at: Locator) => Promise<string>

function path(random: SeededChoice): string[] {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(segments))
}

/** Everything outside: the neighbours, and the files beside the directory of the backend. */
async function outsideTree(home: string, root: string): Promise<ReadonlyMap<string, string>> {
  const trees = await Promise.all([`${root}-too`, join(home, 'elsewhere')].map(fileTree))
  const beside = (await readdir(home)).map((name) => [name, 'is there'] as const)
  return new Map([...trees.flatMap((tree) => [...tree]), ...beside])
}

function sameTree(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): boolean {
  return before.size === after.size && [...before].every(([at, what]) => after.get(at) === what)
}
