import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { runGates, type GatesConfigInput } from '@agentm/gates'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Files, findingsIn, inRepository, manifest } from './repository.ts'

const arrows = {
  seam: { may: [] },
  lock: { may: ['seam'] },
  store: { may: ['seam'] },
  plugin: { may: ['seam', 'type:lock', 'lazy:cloud', 'entries/reader'] },
  cloud: { may: [] },
  entries: { may: [] },
  suite: { may: ['seam'] },
}
const config: GatesConfigInput = {
  importDirection: { arrows, tests: { may: ['suite'], except: ['seam'] } },
}
const entries = manifest('entries', { exports: { '.': './src/index.ts', './reader': './src/reader.ts' } })
const packages: Files = {
  'packages/seam/package.json': manifest('seam'),
  'packages/seam/src/index.ts': 'export const seam = 1',
  'packages/lock/package.json': manifest('lock', { dependencies: { '@acme/seam': '^1.0.0' } }),
  'packages/lock/src/index.ts': 'export type Lock = string',
  'packages/store/package.json': manifest('store'),
  'packages/store/src/index.ts': 'export const store = 1',
  'packages/cloud/package.json': manifest('cloud'),
  'packages/entries/package.json': entries,
  'packages/suite/package.json': manifest('suite'),
  'packages/plugin/package.json': manifest('plugin', {
    dependencies: { '@acme/seam': '^1.0.0', '@acme/lock': '^1.0.0', '@acme/entries': '^1.0.0', zod: '4.0.0' },
    peerDependencies: { '@acme/cloud': '^1.0.0' },
    devDependencies: { '@acme/suite': '^1.0.0' },
  }),
}

async function inPlugin(snippets: Readonly<Record<string, string>>) {
  const files = Object.fromEntries(Object.entries(snippets).map(([name, text]) => [`packages/plugin/${name}`, text]))
  return findingsIn({ ...packages, ...files }, config, ['import-direction'])
}

const storeIs =
  'import-direction/direction: plugin may not import store. Its row names seam, type:lock, lazy:cloud, entries/reader.'
const byPath = (specifier: string): string =>
  `import-direction/path: ${specifier} reaches into @acme/store by path. Import @acme/store.`
const computed =
  'import-direction/computed: the module loaded here is named at run time, so nothing can say where it leads. Write the name as a literal.'
const unknown = (specifier: string): string =>
  `import-direction/unknown: ${specifier} names no package of this workspace.`
const undeclared = (name: string): string =>
  `import-direction/undeclared: ${name} is not in dependencies of this package. Declare it.`

const forbidden: readonly (readonly [way: string, text: string, says: string, extension?: string])[] = [
  ['a static import', `import { store } from '@acme/store'`, storeIs],
  ['a namespace import', `import * as all from '@acme/store'`, storeIs],
  ['a side effect', `import '@acme/store'`, storeIs],
  ['a type-only import', `import type { A } from '@acme/store'`, storeIs],
  ['a type-only export', `export type { A } from '@acme/store'`, storeIs],
  ['a dynamic import', `export const a = () => import('@acme/store')`, storeIs],
  ['a template without holes', 'export const a = () => import(`@acme/store`)', storeIs],
  ['an export star', `export * from '@acme/store'`, storeIs],
  ['a named export', `export { store } from '@acme/store'`, storeIs],
  ['an import type node', `export type A = import('@acme/store').B`, storeIs],
  ['a typeof import', `export type A = typeof import('@acme/store')`, storeIs],
  ['import equals', `import s = require('@acme/store')`, storeIs],
  [
    'createRequire',
    `import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('@acme/store')`,
    storeIs,
  ],
  ['import.meta.resolve', `export const a = import.meta.resolve('@acme/store')`, storeIs],
  ['a deep import', `import { x } from '@acme/store/src/x.ts'`, storeIs],
  ['reference types', `/// <reference types="@acme/store" />\nexport {}`, storeIs],
  ['a name in a string', `export const known = { store: '@acme/store' }`, storeIs],
  ['a lint comment', `/* eslint-disable */\nimport { store } from '@acme/store'`, storeIs],
  ['a JavaScript file', `import { store } from '@acme/store'`, storeIs, 'js'],
  ['an mts file', `import { store } from '@acme/store'`, storeIs, 'mts'],
  ['a JSDoc import', `/** @import { A } from '@acme/store' */\nexport {}`, storeIs, 'js'],
  ['a JSDoc import type', `/** @type {import('@acme/store').A} */\nexport const a = 1`, storeIs, 'mjs'],
  [
    'a reference path',
    `/// <reference path="../../store/src/index.ts" />\nexport {}`,
    byPath('../../store/src/index.ts'),
  ],
  ['a relative source', `import { store } from '../../store/src/index.ts'`, byPath('../../store/src/index.ts')],
  ['a relative build', `import { store } from '../../store/dist/index.js'`, byPath('../../store/dist/index.js')],
  [
    'a manifest with attributes',
    `import p from '../../store/package.json' with { type: 'json' }`,
    byPath('../../store/package.json'),
  ],
  ['a URL', `export const a = new URL('../../store/src/x.ts', import.meta.url)`, byPath('../../store/src/x.ts')],
  [
    'a Worker',
    `import { Worker } from 'node:worker_threads'\nnew Worker(new URL('../../store/src/w.ts', import.meta.url))`,
    byPath('../../store/src/w.ts'),
  ],
  [
    'a path in pieces of text',
    `import path from 'node:path'\nexport const a = path.join(import.meta.dirname, '../../store/src/index.ts')`,
    byPath('../../store/src/index.ts'),
  ],
  [
    'a file of the root',
    `import c from '../../../vitest.config.ts'`,
    'import-direction/path: ../../../vitest.config.ts leaves the package; it will not be there when installed.',
  ],
  [
    'an absolute place',
    `import 'file:///srv/store.js'`,
    'import-direction/path: file:///srv/store.js is a place of its own, not a package. Import a package.',
  ],
  [
    'code in a URL',
    `export const a = import('data:text/javascript,export default 1')`,
    'import-direction/path: data:text/javascript,export default 1 is a place of its own, not a package. Import a package.',
  ],
  ['a variable', `export const a = (m: string) => import(m)`, computed],
  [
    'a required variable',
    `import { createRequire } from 'node:module'\nconst r = createRequire(import.meta.url)\nexport const a = (m: string) => r(m)`,
    computed,
  ],
  [
    'a computed worker',
    `import { Worker as W } from 'node:worker_threads'\nexport const a = (f: string) => new W(f)`,
    computed,
  ],
  ['a computed fork', `import * as cp from 'node:child_process'\nexport const a = (f: string) => cp.fork(f)`, computed],
  [
    'eval',
    `export const a = (text: string): unknown => eval(text)`,
    'import-direction/evaluated: code made from text can reach anything. Write it as a module.',
  ],
  [
    'an augmentation',
    `declare module '@acme/seam' { interface X { a: 1 } }\nexport {}`,
    'import-direction/augment: this changes the types of @acme/seam for everybody. Declare a type of your own.',
  ],
  ['an unknown package', `import '@acme/nope'`, unknown('@acme/nope')],
  ['a name in two parts', `export const a = (n: string) => '@acme/' + n`, unknown('@acme/')],
  ['an interpolated name', 'export const a = (n: string) => `@acme/${n}`', unknown('@acme/')],
  ['the scope alone', `export const a = ['@acme', 'store'].join('/')`, unknown('@acme')],
  ['an undeclared package', `import fg from 'fast-glob'`, undeclared('fast-glob')],
  ['a type of an undeclared package', `import type { A } from 'fast-glob/out/types'`, undeclared('fast-glob')],
  ['a test framework in source', `import { it } from 'vitest'`, undeclared('vitest')],
  [
    'an entry that does not exist',
    `import { x } from '@acme/seam/src/x.ts'`,
    'import-direction/unknown: @acme/seam/src/x.ts is no entry of @acme/seam.',
  ],
  [
    'another entry than the one allowed',
    `import { x } from '@acme/entries'`,
    'import-direction/direction: plugin may not import entries like this. Only entries/reader is allowed.',
  ],
  [
    'a value where types are allowed',
    `import { type Lock } from '@acme/lock'`,
    'import-direction/direction: plugin may not import lock like this. Only types of lock are allowed: write `import type`.',
  ],
  [
    'a static import of what is loaded when configured',
    `import { x } from '@acme/cloud'`,
    'import-direction/direction: plugin may not import cloud like this. Only a load of cloud by name is allowed: write `await import(…)` where it is needed.',
  ],
]

describe('import-direction', () => {
  let found: Record<string, string[]> = {}
  const fileOf = (i: number): string => `src/v${i}.${forbidden[i]?.[3] ?? 'ts'}`
  beforeAll(async () => {
    found = await inPlugin(Object.fromEntries(forbidden.map(([, text], i) => [fileOf(i), text])))
  })

  it.each(forbidden.map(([way, , says], i) => ({ way, says, i })))('refuses $way', ({ says, i }) => {
    expect(found[`packages/plugin/${fileOf(i)}`]).toEqual([says])
  })

  it('lets a package import what its row names, what it declares, Node and itself', async () => {
    const text = `
      import { z } from 'zod'
      import fs from 'node:fs'
      import { seam } from '@acme/seam'
      import type { Lock } from '@acme/lock'
      import { read } from '@acme/entries/reader'
      import './own.ts'
      export const cloud = () => import('@acme/cloud')
      export const note = 'install @acme/store to go on, see ../../store'
      // import('@acme/store') in a comment of a TypeScript file means nothing
      export const brand = Symbol.for('@acme/store/brand')
      export const entry = new URL('./own.ts', import.meta.url)
    `
    const own = {
      'src/a.ts': text,
      'src/own.ts': '',
      'bin/plugin.mjs': `import '@acme/plugin'\nimport '../dist/index.js'`,
    }
    expect(await inPlugin(own)).toEqual({})
  })

  it('lets tests name the suite and data, and nothing else above them', async () => {
    const test = `
      import { suite } from '@acme/suite'
      const keys = ['../../etc/passwd', '@acme/store']
      const load = (m: string) => import(m)
    `
    expect(await inPlugin({ 'test/a.test.ts': test })).toEqual({})
    expect(await inPlugin({ 'test/a.test.ts': `import '@acme/store'` })).toEqual({
      'packages/plugin/test/a.test.ts': [storeIs],
    })
    expect(await inPlugin({ 'src/a.ts': `import '@acme/suite'` })).toMatchObject({
      'packages/plugin/src/a.ts': [/suite/],
    })
    const seam = { ...packages, 'packages/seam/test/a.test.ts': `import '@acme/suite'` }
    expect(await findingsIn(seam, config, ['import-direction'])).toEqual({
      'packages/seam/test/a.test.ts': [
        'import-direction/direction: seam may not import suite. The arrow table lets seam import nothing.',
      ],
    })
  })

  it('refuses a file that is a link out of its package', async () => {
    const strays = await inRepository({ ...packages, 'packages/plugin/src/a.ts': '' }, async (root) => {
      await symlink(path.join(root, 'packages/store/src/index.ts'), path.join(root, 'packages/plugin/src/link.ts'))
      return (await runGates({ root, config, only: ['import-direction'] })).findings
    })
    expect(strays).toMatchObject([{ rule: 'import-direction/path', file: 'packages/plugin/src/link.ts' }])
  })

  it('reads manifests: rows, tags, aliases, what is declared, and circles', async () => {
    const files: Files = {
      ...packages,
      'packages/store/package.json': manifest('store', {
        dependencies: { '@acme/lock': '^1.0.0', short: 'npm:@acme/cloud@1.0.0', near: 'file:../seam' },
        imports: { '#x': '@acme/cloud', '#y': '../seam/src/index.ts' },
        nx: { tags: ['layer:store', 'layer:lock'] },
      }),
      'packages/seam/package.json': manifest('seam', { dependencies: { '@acme/lock': '^1.0.0' } }),
      'packages/new/package.json': manifest('new'),
      'packages/plugin/package.json': manifest('plugin', { dependencies: { '@acme/cloud': '^1.0.0' } }),
      'packages/plugin/tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["../store/src/*"] } } }',
    }
    expect(await findingsIn(files, config, ['import-direction'])).toEqual({
      'package.json': [
        'import-direction/cycle: lock → seam → lock: packages depend on each other in a circle. Turn one arrow into an argument.',
      ],
      'packages/new/package.json': ['import-direction/no-row: new has no row in the arrow table. Add one.'],
      'packages/plugin/package.json': [
        'import-direction/lazy: dependencies names @acme/cloud: it is loaded only when configured, so nobody should have to install it. Declare it as an optional peer.',
      ],
      'packages/plugin/tsconfig.json': [
        'import-direction/alias: paths maps ~/* to another place, so an import no longer says where it leads. Remove it.',
      ],
      'packages/seam/package.json': [
        'import-direction/direction: dependencies names @acme/lock: seam may not import lock.',
      ],
      'packages/store/package.json': [
        'import-direction/tag: nx.tags must be exactly ["layer:store"], not ["layer:store","layer:lock"].',
        'import-direction/direction: dependencies names @acme/lock: store may not import lock.',
        'import-direction/alias: dependencies names short: npm:@acme/cloud@1.0.0 hides a package of this workspace. Use its own name.',
        'import-direction/alias: dependencies names near: file:../seam is a path, not a version. Name a version.',
        'import-direction/alias: the imports map hides @acme/cloud. Import it by its own name.',
        'import-direction/alias: the imports map hides ../seam/src/index.ts. Import it by its own name.',
      ],
    })
  })

  it('keeps rows of their own name, also against the table and through packages in between', async () => {
    const rows = [
      { id: 'seam-one-way', from: '*', except: ['store'], never: ['entries'], says: 'only store may ask.' },
      { id: 'seam-only-reads', from: 'plugin', only: ['seam', 'type:*', 'cloud'], says: 'it only reads.' },
      { id: 'never-a-store', from: 'store', never: ['l*'], through: true, says: 'whichever it is.' },
    ]
    const open = { ...arrows, store: { may: ['suite'] }, suite: { may: ['lock'] } }
    const files: Files = {
      ...packages,
      'packages/store/package.json': manifest('store', { dependencies: { '@acme/suite': '^1.0.0' } }),
      'packages/suite/package.json': manifest('suite', { dependencies: { '@acme/lock': '^1.0.0' } }),
      'packages/plugin/src/a.ts': `import '@acme/entries/reader'`,
      'packages/plugin/src/b.ts': `import type { Lock } from '@acme/lock'`,
    }
    expect(await findingsIn(files, { importDirection: { arrows: open, rows } }, ['import-direction'])).toMatchObject({
      'packages/plugin/src/a.ts': [
        'import-direction/row/seam-one-way: plugin reaches entries/reader: only store may ask.',
        'import-direction/row/seam-only-reads: plugin reaches entries/reader: it only reads.',
      ],
      'packages/store/package.json': ['import-direction/row/never-a-store: store → suite → lock: whichever it is.'],
    })
  })

  it('excuses what is named with a reason, and says when that is no longer needed', async () => {
    const excuse = { file: 'packages/plugin/src/a.ts', why: 'the user names the plugin' }
    const direction = { arrows, exceptions: ['computed', '@acme/store'].map((reach) => ({ ...excuse, reach })) }
    const files = { ...packages, 'packages/plugin/src/a.ts': 'export const a = (m: string) => import(m)' }
    expect(await findingsIn(files, { importDirection: direction }, ['import-direction'])).toMatchObject({
      'packages/plugin/src/a.ts': [
        'import-direction/stale-exception: the exception for @acme/store excuses nothing here. Remove it from the configuration.',
      ],
    })
  })
})
