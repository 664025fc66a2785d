import { expect, it } from 'vitest'
import { findingsIn, manifest } from './repository.ts'

const files = {
  'packages/one/package.json': manifest('one', { exports: { '.': './src/index.ts', './more': './src/more.ts' } }),
  'packages/one/src/index.ts': 'export interface Hold { readonly root: string }\nexport const shared = 1\n',
  'packages/one/src/more.ts': 'export class Claim {}\n',
  'packages/two/package.json': manifest('two', { dependencies: { '@acme/one': '*' } }),
  'packages/two/src/index.ts': "export { shared } from '../../one/src/index.ts'\nexport function own(): void {}\n",
}
const two = 'packages/two/src/index.ts'

it('lets a package pass on what another one declares', async () => {
  expect(await findingsIn(files, {}, ['one-name'])).toEqual({})
})

const said = (name: string) =>
  `one-name/two-things: @acme/two exports ${name}, and @acme/one exports something else under that name. Rename one of them.`
const clash = async (text: string) => (await findingsIn({ ...files, [two]: text }, {}, ['one-name']))[two]

it('finds a name that stands for two things, also behind another entry and under another name', async () => {
  expect(await clash('export interface Hold { readonly session: string }\n')).toEqual([said('Hold')])
  expect(await clash('export class Claim {}\n')).toEqual([said('Claim')])
  expect(await clash('const other = 2\nexport { other as shared }\n')).toEqual([said('shared')])
})

it('takes an exception with a reason, and finds one that excuses nothing', async () => {
  const oneName = { exceptions: [{ name: 'Hold', why: 'the same thing, asked one floor up' }] }
  const clashing = { ...files, [two]: 'export interface Hold { readonly session: string }\n' }
  expect(await findingsIn(clashing, { oneName }, ['one-name'])).toEqual({})
  expect(await findingsIn(files, { oneName }, ['one-name'])).toEqual({
    'package.json': [
      'one-name/stale-exception: the exception for Hold excuses nothing. Remove it from the configuration.',
    ],
  })
})
