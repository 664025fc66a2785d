import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { type Finding, runGates, type GatesConfigInput } from '@agentm/gates'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Files, inRepository, manifest } from './repository.ts'

const repository = path.resolve(import.meta.dirname, '../../..')

/** Runs the gate where the real seam and Node's types are installed. */
async function check(files: Files, config: GatesConfigInput = {}): Promise<readonly Finding[]> {
  return inRepository(files, async (root) => {
    for (const [name, target] of installed) {
      await mkdir(path.dirname(path.join(root, 'node_modules', name)), { recursive: true })
      await symlink(path.join(repository, target), path.join(root, 'node_modules', name))
    }
    return (await runGates({ root, config, only: ['storage-seam-no-path-leak'] })).findings
  })
}

const installed = [
  ['@agentm/storage-seam', 'packages/storage-seam'],
  ['@types/node', 'node_modules/@types/node'],
  ['zod', 'node_modules/zod'],
  ['undici-types', 'node_modules/undici-types'],
] as const

const lock = `
  declare const brand: unique symbol
  export type FilePath = string & { readonly [brand]: true }
`
const filePath = `import type { FilePath } from '../../lock/src/index.ts'`
const seam = `import { Capabilities, type Info, Locator, StorageBackend } from '@agentm/storage-seam'`

/** A backend that keeps the seam, with members added or replaced. */
function backend(
  name: string,
  { members = '', read = 'async read(_at: Locator): Promise<string> { return "" }', before = '' },
) {
  return `${seam}
${before}
export class ${name} extends StorageBackend {
  readonly capabilities = new Capabilities()
  ${read}
  async write(at: Locator, _text: string): Promise<Locator> { return at }
  async list(_at: Locator): Promise<Locator[]> { return [] }
  async exists(_at: Locator): Promise<boolean> { return true }
  async info(locator: Locator): Promise<Info> { return { locator, isDir: false, size: 0, mtime: 0 } }
  async mkdir(at: Locator): Promise<Locator> { return at }
  ${members}
}`
}

const crosses = 'and paths never cross the seam. Answer a Locator, or leave it out.'
const leak = (text: string): string => `leak: ${text}, ${crosses}`
const exactly = (verb: string, is: string, shall: string): string =>
  `verb: B.${verb} answers ${is}, not exactly the seam's ${shall}. Write that type down as its result.`

const leaking: readonly (readonly [trick: string, text: string, ...says: string[]])[] = [
  [
    'a branded path behind a verb',
    backend('B', { before: filePath, read: 'async read(_at: Locator): Promise<FilePath> { return "" as FilePath }' }),
    exactly('read', 'Promise<FilePath>', 'Promise<string>'),
  ],
  [
    'an inferred result',
    backend('B', { read: 'async read(_at: Locator) { return null as never as { path: string } & string }' }),
    exactly('read', 'Promise<{ path: string; } & string>', 'Promise<string>'),
  ],
  [
    'as any',
    backend('B', { read: 'async read(_at: Locator) { return "/srv" as any }' }),
    exactly('read', 'Promise<any>', 'Promise<string>'),
  ],
  [
    'any written down',
    backend('B', { members: 'override resolve(..._parts: string[]): any { return 1 }' }),
    exactly('resolve', 'any', 'Locator'),
  ],
  [
    'a locator with a path',
    backend('B', {
      before: 'class Placed extends Locator { readonly path: string = "/srv" }',
      members: 'override resolve(...parts: string[]) { return new Placed(parts.join("/")) }',
    }),
    exactly('resolve', 'Placed', 'Locator'),
  ],
  [
    'a locator with an optional path, which is assignable both ways',
    backend('B', {
      before: 'class Placed extends Locator { declare readonly path?: string }',
      members: 'override resolve(...parts: string[]): Placed { return new Placed(parts.join("/")) }',
    }),
    exactly('resolve', 'Placed', 'Locator'),
  ],
  [
    'such a locator elsewhere',
    backend('B', {
      before: 'class Placed extends Locator { readonly place: number = 1 }',
      members: 'home(): Placed { return new Placed("") }',
    }),
    leak('B.home() is a Placed, a locator that also carries place'),
  ],
  [
    'an overload',
    backend('B', {
      read: 'read(at: Locator): Promise<string>\n  read(at: Locator, raw: true): Promise<URL>\n  async read(): Promise<never> { throw new Error() }',
    }),
    'parameter: B.read takes raw, which the seam does not have. A verb takes only what the seam gives it.',
    exactly('read', 'Promise<URL>', 'Promise<string>'),
  ],
  [
    'a default parameter',
    backend('B', { read: 'async read(_at: Locator, _root = "/srv"): Promise<string> { return "" }' }),
    'parameter: B.read takes _root, which the seam does not have. A verb takes only what the seam gives it.',
  ],
  [
    'a default parameter with a path type',
    backend('B', {
      before: filePath,
      members: 'override resolve(..._parts: (string | FilePath)[]): Locator { return new Locator("") }',
    }),
    leak('B.resolve(_parts) is FilePath'),
  ],
  [
    'an interface merged with the class',
    `${backend('B', { before: filePath })}\nexport interface B { readonly home: FilePath }`,
    leak('B.home is FilePath'),
  ],
  [
    'a getter',
    backend('B', { before: filePath, members: 'get home() { return "/srv" as FilePath }' }),
    leak('B.home is FilePath'),
  ],
  [
    'a getter of plain text that its name calls a path',
    backend('B', { members: 'get rootPath(): string { return "/srv" }' }),
    leak('B.rootPath is text that its name calls a path'),
  ],
  [
    'a generator',
    backend('B', { before: filePath, members: '*walk() { yield "/srv" as FilePath }' }),
    leak('B.walk() is FilePath'),
  ],
  [
    'an async generator of entries',
    backend('B', {
      before: `import { opendir } from 'node:fs/promises'`,
      members: 'async *walk() { yield* await opendir("/srv") }',
    }),
    leak('B.walk() is Dirent'),
  ],
  [
    'an alias of a promise of a map of tuples',
    backend('B', {
      before: `${filePath}\ntype Index = Promise<ReadonlyMap<string, readonly [at: number, where: FilePath]>>`,
      members: 'index(): Index { throw new Error() }',
    }),
    leak('B.index() is FilePath'),
  ],
  [
    'a union in a record in an own type',
    backend('B', {
      before: `${filePath}\ninterface Found { readonly by: Record<string, number | { at?: FilePath }> }`,
      members: 'found(): Found | undefined { return undefined }',
    }),
    leak('B.found().by[].at is FilePath'),
  ],
  [
    'a generic of ours',
    backend('B', {
      before: `${filePath}\nclass Box<T> { constructor(readonly inner: T) {} }`,
      members: 'box() { return new Box([new Box("/srv" as FilePath)]) }',
    }),
    leak('B.box().inner.inner is FilePath'),
  ],
  [
    'a type parameter that stands for a path',
    backend('B', { before: filePath, members: 'as<T extends FilePath>(): T { throw new Error() }' }),
    leak('B.as() is FilePath'),
  ],
  [
    'a condition',
    backend('B', { before: filePath, members: 'as<T>(): T extends string ? FilePath : number { throw new Error() }' }),
    leak('B.as() is FilePath'),
  ],
  [
    'a function that is answered',
    backend('B', { before: filePath, members: 'later() { return { run: () => "/srv" as FilePath } }' }),
    leak('B.later().run() is FilePath'),
  ],
  [
    'a static member',
    backend('B', { before: filePath, members: 'static home(): FilePath { throw new Error() }' }),
    leak('B.home() is FilePath'),
  ],
  [
    'a protected field',
    backend('B', { before: filePath, members: 'protected home!: FilePath' }),
    leak('B.home is FilePath'),
  ],
  [
    'Node’s own carriers',
    backend('B', {
      before: `import fs from 'node:fs'\nimport type { FileHandle } from 'node:fs/promises'`,
      members: `stats() { return fs.statSync('/') }\n  handle(): Promise<FileHandle> { throw new Error() }\n  stream() { return fs.createReadStream('/') }\n  like(): fs.PathLike { return '' }`,
    }),
    leak('B.stats() is Stats'),
    leak('B.handle() is FileHandle'),
    leak('B.stream() is ReadStream'),
    leak('B.like() is PathLike'),
  ],
  [
    'a type of ours that extends a foreign path',
    backend('B', { before: 'class Place extends URL {}', members: 'place(): Place { throw new Error() }' }),
    leak('B.place() is URL'),
  ],
  [
    'any in a field',
    backend('B', { members: 'extra: any' }),
    'leak: B.extra is any, which may be a path. Write its type down.',
  ],
  [
    'a callback that is told a path',
    backend('B', { before: filePath, members: 'each(found: (at: FilePath) => void): void { found("" as FilePath) }' }),
    leak('B.each() found(at) is FilePath'),
  ],
  [
    'an optional callback that is told it in an object',
    backend('B', {
      before: filePath,
      members: 'each(found?: (hit: { readonly at: FilePath }) => void): void { found?.({ at: "" as FilePath }) }',
    }),
    leak('B.each() found(hit).at is FilePath'),
  ],
  [
    'a callback of a callback',
    backend('B', {
      before: filePath,
      members: 'each(found: (answer: () => FilePath) => void): void { found(() => "" as FilePath) }',
    }),
    leak('B.each() found(answer)() is FilePath'),
  ],
  [
    'unknown as a result',
    backend('B', { members: 'where(): unknown { return "/srv" }' }),
    'leak: B.where() is unknown, which may be a path. Write its type down.',
  ],
  [
    'unknown that is promised',
    backend('B', { members: 'async where(): Promise<unknown> { return "/srv" }' }),
    'leak: B.where() is unknown, which may be a path. Write its type down.',
  ],
  [
    'unknown in a list in a field',
    backend('B', { members: 'readonly seen: readonly unknown[] = []' }),
    'leak: B.seen is unknown, which may be a path. Write its type down.',
  ],
  [
    'a member under a symbol',
    backend('B', { before: `${filePath}\nexport const home = Symbol('home')`, members: '[home]!: FilePath' }),
    leak('B[home] is FilePath'),
  ],
  [
    'a member whose name is known only while the program runs',
    backend('B', { before: filePath, members: '[Symbol.for("home")](): FilePath { return "" as FilePath }' }),
    leak('B[…]() is FilePath'),
  ],
  [
    'an iterator',
    backend('B', { before: filePath, members: '*[Symbol.iterator](): Generator<FilePath> { yield "" as FilePath }' }),
    leak('B[iterator]() is FilePath'),
  ],
  [
    'an iterator without end',
    backend('B', { before: filePath, members: 'async *[Symbol.asyncIterator]() { yield "" as FilePath }' }),
    leak('B[asyncIterator]() is FilePath'),
  ],
  [
    'a conversion to text that is a path',
    backend('B', { before: filePath, members: '[Symbol.toPrimitive](): FilePath { return "" as FilePath }' }),
    leak('B[toPrimitive]() is FilePath'),
  ],
  [
    'an accessor pair whose setter is told nothing',
    backend('B', {
      before: filePath,
      members: 'get at(): FilePath { return "" as FilePath }\n  set at(_to: FilePath) {}',
    }),
    leak('B.at is FilePath'),
  ],
  [
    'a type nobody can resolve',
    backend('B', { before: `import type { X } from 'not-installed'`, members: 'extra!: X' }),
    leak('B.extra is a type that cannot be resolved'),
  ],
  [
    'a verb that is a field',
    backend('B', { read: 'declare read: never' }),
    'verb: B.read is not a method, so its answers cannot be known. Write it as one.',
  ],
  [
    'a class that is not exported and extends nothing',
    backend('Hidden', { before: filePath, members: 'home!: FilePath' })
      .replace('export class Hidden extends StorageBackend', 'class B')
      .replace('readonly capabilities', 'resolve(): Locator { return new Locator("") }\n  readonly capabilities'),
    leak('B.home is FilePath'),
  ],
  [
    'a class that a function makes',
    `${filePath}\n${backend('Base', {})}\nexport const make = () => class extends Base { home!: FilePath }`,
    leak('a class.home is FilePath'),
  ],
  [
    'an object with the seven verbs',
    `${filePath}\n${seam}\nexport function open() {\n  const at = new Locator('')\n  const verb = async () => at\n  return { resolve: () => at, read: async () => '/' as FilePath, write: verb, list: async (): Promise<Locator[]> => [], exists: async (): Promise<boolean> => true, info: async (): Promise<Info> => { throw new Error() }, mkdir: verb, capabilities: new Capabilities() } satisfies Pick<StorageBackend, 'read'>\n}`,
    "verb: a backend.read answers Promise<FilePath>, not exactly the seam's Promise<string>. Write that type down as its result.",
  ],
  [
    'an error’s field',
    `${filePath}\nexport class GoneError extends Error {\n  readonly file: FilePath\n  readonly filePath: string\n  constructor(file: FilePath) { super(); this.file = file; this.filePath = file }\n}`,
    leak('GoneError.file is FilePath'),
    leak('GoneError.filePath is text that its name calls a path'),
  ],
  [
    'a module that changes the seam',
    `declare module '@agentm/storage-seam' { interface Info { readonly path: string } }\nexport {}`,
    "merge: this adds to a type of the seam, so that everybody's backend would agree with it. Declare a type of your own.",
  ],
]

function said(findings: readonly Finding[]): string[] {
  return findings.map(({ rule, message }) => `${rule.split('/')[1]}: ${message}`)
}

describe('storage-seam-no-path-leak', () => {
  let found: readonly Finding[] = []
  beforeAll(async () => {
    const files = Object.fromEntries(leaking.map(([, text], i) => [`packages/a/src/v${i}.ts`, text]))
    const packages = {
      'packages/a/package.json': manifest('a'),
      'packages/lock/package.json': manifest('lock'),
      'packages/lock/src/index.ts': lock,
    }
    found = await check({ ...packages, ...files, 'packages/a/src/index.ts': 'export const a = 1' })
  }, 60_000)

  it.each(leaking.map(([trick, , ...says], i) => ({ trick, says, i })))('finds $trick', ({ says, i }) => {
    const here = found.filter(({ file }) => file === `packages/a/src/v${i}.ts`)
    expect(here.map(({ rule, message }) => `${rule.split('/')[1]}: ${message}`)).toEqual(says)
  })

  it('finds no more than was planted', () => {
    expect(found).toHaveLength(leaking.reduce((sum, [, , ...says]) => sum + says.length, 0))
  })

  const lockPackage = { 'packages/lock/package.json': manifest('lock'), 'packages/lock/src/index.ts': lock }
  const routing = (text: string): Files => ({
    ...lockPackage,
    'packages/routing/package.json': manifest('routing'),
    'packages/routing/src/index.ts': `export * from './all.ts'`,
    'packages/routing/src/all.ts': `${filePath}\n${seam}\n${text}`,
  })
  const held = { noPathLeak: { packages: ['routing'] } }

  it('holds what the named packages export to the same rule, at any depth', async () => {
    const text = `
      export interface Resolution { readonly projectRoot: FilePath; readonly slug: string }
      export interface Options { readonly root: FilePath }
      export async function resolveProject(_options: Options): Promise<Resolution | undefined> { return undefined }
      export class Project { readonly home: FilePath; constructor(home: FilePath) { this.home = home } }
      export const statePath = (project: Project) => project.home
      export const join = (await import('node:path')).join
    `
    const files = {
      ...routing(text),
      'packages/routing/src/index.ts': `export * from './all.ts'\nexport { basename } from 'node:path'`,
    }
    expect(said(await check(files, held))).toEqual([
      leak('resolveProject().projectRoot is FilePath'),
      leak('Project.home is FilePath'),
      leak('statePath() is FilePath'),
      leak('join is a part of node:path'),
      're-export: this hands on node:path, whose business is paths. Keep it inside the package.',
    ])
  })

  it('excuses a named trail wherever its property is met, and nothing else', async () => {
    const text = `
      export interface Resolution { readonly projectRoot: FilePath; readonly other: FilePath }
      export interface Workspace { readonly project: Resolution }
      export function openWorkspace(): Workspace { throw new Error() }
      export async function resolveProject(): Promise<Resolution | undefined> { return undefined }
      export const statePath = () => '/' as FilePath
    `
    const exceptions = ['statePath', 'resolveProject().projectRoot'].map((at) => ({ at, why: 'where the user works' }))
    expect(said(await check(routing(text), { noPathLeak: { packages: ['routing'], exceptions } }))).toEqual([
      leak('openWorkspace().project.other is FilePath'),
    ])
  })

  it('passes a backend that keeps paths to itself, in a repository of its own without configuration', async () => {
    const members = `
      readonly #root: FilePath
      private readonly directory: FilePath
      constructor(root: FilePath, { onSkipped = (_path: FilePath) => undefined } = {}) { super(); this.#root = root; this.directory = root; onSkipped(root) }
      static async open(root: FilePath): Promise<Good> { return new Good(root) }
      override get conflictStrategy(): 'whole-file' { return 'whole-file' }
      override async update(_at: Locator, _change: (now: string | undefined) => string | undefined): Promise<string | undefined> { return this.#root + this.directory }
      async *everything(): AsyncGenerator<{ at: Locator; text: string }> {}
      schema(): z.ZodObject { return z.object({}) }
      async stamp(at: Locator): Promise<Map<string, Date>> { return new Map([[at.key, new Date(0)]]) }
    `
    const files: Files = {
      'package.json': { name: 'my-backend', type: 'module', exports: './dist/index.js' },
      'src/index.ts': `export { Good } from './good.ts'\nexport { GoneError } from './gone.ts'`,
      'src/good.ts': backend('Good', { before: `import { z } from 'zod'${lock.replaceAll('export ', '')}`, members }),
      'src/gone.ts': 'export class GoneError extends Error { readonly key = "" }',
    }
    expect(await check(files)).toEqual([])
  })

  it('refuses to call a repository clean that has no backend, or no seam to compare it with', async () => {
    const files = { 'package.json': { name: 'x', type: 'module' }, 'src/index.ts': 'export const a = 1' }
    await expect(check(files)).rejects.toMatchObject({ code: 'UNREADABLE', message: /nothing with the seven verbs/ })
    await expect(check(files, { noPathLeak: { seam: '@acme/nope' } })).rejects.toMatchObject({
      code: 'UNREADABLE',
      message: /@acme\/nope cannot be resolved/,
    })
  })
})
