import type { GatesConfigInput } from '@agentm/gates'
import { beforeAll, describe, expect, it } from 'vitest'
import { findingsIn, manifest } from './repository.ts'

const packages = { 'packages/a/package.json': manifest('a'), 'packages/home/package.json': manifest('home') }
const config: GatesConfigInput = { oneWriter: { home: ['home'] } }
const writes = (call: string): string =>
  `one-writer/write: ${call} writes; only home may. Write through it, or name the call in oneWriter.exceptions with a reason.`
const code = (what: string): string =>
  `one-writer/code: ${what} makes code from text, and nobody can say what that writes. Write the code down in a file.`
const escapes =
  'one-writer/escape: fs is handed on whole here, so nobody can say what is written. Take the functions you need by name.'

const writing: readonly (readonly [way: string, text: string, ...says: string[]])[] = [
  ['a named import', `import { writeFile } from 'node:fs/promises'`, writes('writeFile')],
  ['an alias', `import { rename as move } from 'fs/promises'\nmove('a', 'b')`, writes('rename')],
  ['a default import', `import fs from 'node:fs'\nfs.rmSync('a')`, writes('rmSync')],
  ['a namespace', `import * as fs from 'node:fs'\nfs.unlink('a', () => 1)`, writes('unlink')],
  ['a key', `import * as fs from 'node:fs'\nfs['rename']('a', 'b', () => 1)`, writes('rename')],
  ['a computed key', `import * as fs from 'node:fs'\nfs['re' + 'name']('a', 'b')`, escapes],
  ['promises', `import { promises } from 'node:fs'\nawait promises.cp('a', 'b')`, writes('cp')],
  ['promises of a namespace', `import fs from 'node:fs'\nawait fs.promises.symlink('a', 'b')`, writes('symlink')],
  ['promises under another name', `import { promises as p } from 'fs'\nconst q = p\nawait q.rm('a')`, writes('rm')],
  ['destructuring', `import fs from 'node:fs'\nconst { rename: move } = fs`, writes('rename')],
  [
    'destructured promises',
    `import fs from 'node:fs'\nconst { promises: p } = fs\nawait p.link('a', 'b')`,
    writes('link'),
  ],
  ['the rest', `import fs from 'node:fs'\nconst { readFile, ...rest } = fs`, escapes],
  [
    'require',
    `import { createRequire } from 'node:module'\nconst r = createRequire(import.meta.url)\nr('fs').rename('a', 'b')`,
    writes('rename'),
  ],
  ['require in CommonJS', `const { truncate } = require('node:fs')`, writes('truncate')],
  ['import equals', `import fs = require('node:fs')\nfs.cpSync('a', 'b')`, writes('cpSync')],
  ['a dynamic import', `const fs = await import('node:fs/promises')\nawait fs.rename('a', 'b')`, writes('rename')],
  ['a dynamic import in passing', `await (await import('node:fs')).promises.rm('a')`, writes('rm')],
  ['a dynamic import handed on', `import('node:fs').then((fs) => fs.rename)`, escapes, writes('rename')],
  ['getBuiltinModule', `process.getBuiltinModule('node:fs').rename('a', 'b', () => 1)`, writes('rename')],
  ['a stream', `import { createWriteStream as out } from 'node:fs'\nout('a')`, writes('createWriteStream')],
  [
    'a handle',
    `export const a = (handle: { writeFile(text: string): void }) => handle.writeFile('a')`,
    writes('writeFile'),
  ],
  ['a handle opened for writing', `import { open } from 'node:fs/promises'\nawait open('a', 'w')`, writes('open')],
  [
    'flags that are not said',
    `import { open } from 'node:fs/promises'\nexport const a = (how: string) => open('a', how)`,
    writes('open'),
  ],
  ['open as a value', `import { open } from 'node:fs/promises'\nexport const a = open`, writes('open')],
  ['openSync of a namespace', `import fs from 'node:fs'\nfs.openSync('a', 'a+')`, writes('openSync')],
  [
    'a port shaped like fs',
    `export class A { #fs = { appendFile() {} }; a() { this.#fs.appendFile() } }`,
    writes('appendFile'),
  ],
  [
    'a port taken apart',
    `export const a = ({ writeFileSync }: Record<string, () => void>) => writeFileSync`,
    writes('writeFileSync'),
  ],
  [
    'a port with the names of fs',
    `interface Disk { rename(from: string, to: string): void; unlink(at: string): void }\nexport const a = (disk?: Disk) => disk?.rename('a', 'b')`,
    writes('rename'),
  ],
  [
    'such a port taken apart',
    `interface Disk { rename(from: string, to: string): void; unlink(at: string): void }\nexport const a = ({ unlink: gone }: Disk) => gone('a')`,
    writes('unlink'),
  ],
  [
    'such a port that opens for writing',
    `export const a = (disk: { open(at: string, how: string): void; rename(): void; unlink(): void }) => disk.open('a', 'wx')`,
    writes('open'),
  ],
  ['fs as an argument', `import fs from 'node:fs'\nexport const a = (use: (f: unknown) => void) => use(fs)`, escapes],
  ['fs in an object', `import * as fs from 'node:fs'\nexport const port = { fs }`, escapes],
  ['fs spread', `import fs from 'node:fs'\nexport const port = { ...fs }`, escapes],
  ['Reflect', `import fs from 'node:fs'\nReflect.get(fs, 'rename')`, escapes],
  ['fs exported', `import fs from 'node:fs'\nexport { fs }`, escapes],
  ['a re-export', `export { rename } from 'node:fs'`, writes('rename')],
  ['a re-export of all', `export * from 'node:fs'`, escapes],
  ['a re-export of promises', `export { promises } from 'node:fs'`, writes('promises')],
  ['a temporary directory', `import { mkdtemp } from 'node:fs/promises'`, writes('mkdtemp')],
  ['a temporary directory by name', `import fs from 'node:fs'\nfs.mkdtempSync('/tmp/a')`, writes('mkdtempSync')],
  ['eval', `eval('1')`, code('eval')],
  ['eval under another name', `const run = eval\nrun('1')`, code('eval')],
  ['a function of text', `new Function('return 1')()`, code('Function')],
  ['a constructor', `export const a = (() => 1).constructor('return 1')()`, code('.constructor')],
  ['a constructor by key', `export const a = (() => 1)['constructor']('return 1')()`, code('.constructor')],
  ['vm', `import { runInThisContext } from 'node:vm'\nrunInThisContext('1')`, code('node:vm')],
  ['vm without its prefix', `const vm = await import('vm')`, code('node:vm')],
  ['vm as a built-in', `process.getBuiltinModule('node:vm')`, code('node:vm')],
  ['a data: import', `await import('data:text/javascript,1')`, code('a data: import')],
  [
    'a data: import of a template',
    'export const a = (x: string) => import(`data:text/javascript,${x}`)',
    code('a data: import'),
  ],
  ['a static data: import', `import 'data:text/javascript,1'`, code('a data: import')],
  [
    'a worker of text',
    `import { Worker } from 'node:worker_threads'\nnew Worker('1', { eval: true })`,
    code('a worker with eval: true'),
  ],
  ['a worker of an address', `new Worker(new URL('data:text/javascript,1'))`, code('a data: import')],
  [
    'a package that writes',
    `import writeAtomic from 'write-file-atomic'`,
    'one-writer/package: write-file-atomic writes files; only home may. Write through it, or name it in oneWriter.exceptions with a reason.',
  ],
]

describe('one-writer', () => {
  let found: Record<string, string[]> = {}
  beforeAll(async () => {
    const files = Object.fromEntries(writing.map(([, text], i) => [`packages/a/src/v${i}.ts`, text]))
    found = await findingsIn({ ...packages, ...files }, config, ['one-writer'])
  })

  it.each(writing.map(([way, , ...says], i) => ({ way, says, i })))('finds $way', ({ says, i }) => {
    expect(found[`packages/a/src/v${i}.ts`]).toEqual(says)
  })

  it('lets everybody read, make directories, and call a verb named write', async () => {
    const text = `
      import fs, { mkdirSync, type WriteStream } from 'node:fs'
      import { open, readFile, stat } from 'node:fs/promises'
      import type * as all from 'node:fs'
      export async function read(backend: { write(text: string): void }, links: { link: string }) {
        const handle = await open('a', 'r')
        await open('a')
        await open('a', fs.constants.O_RDONLY)
        fs.readFileSync('a')
        await fs.promises.readFile('a')
        const { readdir } = fs
        backend.write(links.link)
        indexedStore.open('a', 'w')
        process.stdout.write('a')
        const rename = (fs: { rename(): void }) => 1
        const line = 'data: x'.startsWith('data:') && { eval: false }
        const own = { eval: (text: string) => text, constructor: Object }.eval('1')
        return [handle, readFile, stat, mkdirSync, readdir, rename, line, own]
      }
      const indexedStore = { open(_name: string, _how: string) {} }
      export type Fs = typeof fs | WriteStream | typeof all
    `
    expect(await findingsIn({ ...packages, 'packages/a/src/a.ts': text }, config, ['one-writer'])).toEqual({})
  })

  it('lets the one writer write, and tests', async () => {
    const text = `import { writeFile } from 'node:fs/promises'`
    const files = {
      ...packages,
      'packages/home/src/a.ts': text,
      'packages/a/test/a.test.ts': text,
      'packages/a/src/a.ts': '',
    }
    expect(await findingsIn(files, config, ['one-writer'])).toEqual({})
  })

  it('excuses a call that is named with a reason, only that call, and only while it is there', async () => {
    const exceptions = [{ file: 'packages/a/src/a.ts', calls: ['rm', 'chmod'], why: 'removes under the lock it holds' }]
    const files = { ...packages, 'packages/a/src/a.ts': `import { rm, cp } from 'node:fs/promises'` }
    expect(await findingsIn(files, { oneWriter: { home: ['home'], exceptions } }, ['one-writer'])).toEqual({
      'packages/a/src/a.ts': [
        'one-writer/stale-exception: the exception for chmod excuses nothing here. Remove it from the configuration.',
        writes('cp'),
      ],
    })
  })
})
