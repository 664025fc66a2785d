import { expect, it } from 'vitest'
import { globTest } from '../../../src/tools/pure/glob.ts'

it.each<readonly [glob: string, fits: readonly string[], fitsNot: readonly string[]]>([
  ['*.ts', ['a.ts', '.ts', '.a.ts'], ['a.tsx', 'src/a.ts', 'ts']],
  ['src/*', ['src/a', 'src/.env'], ['src', 'src/a/b']],
  ['**/*.ts', ['a.ts', 'src/a.ts', 'src/deep/a.ts'], ['a.js', 'a.ts/b']],
  ['src/**', ['src/a', 'src/a/b'], ['src', 'lib/src/a']],
  ['src/**/a.ts', ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts'], ['srca.ts', 'src/xa.ts']],
  ['a?c', ['abc', 'a.c'], ['ac', 'a/c', 'abbc']],
  ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
  ['[!a-c]x', ['dx', '-x'], ['ax', '/x']],
  ['[]-]', [']', '-'], ['a']],
  ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.t', 'a.ts,tsx']],
  ['{a,b/{c,d}}/e', ['a/e', 'b/c/e', 'b/d/e'], ['b/e', 'c/e']],
  [String.raw`\*.ts`, ['*.ts'], ['a.ts']],
  ['a+(b).c', ['a+(b).c'], ['ab.c']],
])('%s matches as a shell would', (glob, fits, fitsNot) => {
  const test = globTest(glob)
  expect(fits.filter((path) => test?.(path) === true)).toEqual(fits)
  expect(fitsNot.filter((path) => test?.(path) === true)).toEqual([])
})

it('refuses what does not end, and what is too long', () => {
  for (const glob of ['[a', '{a,b', 'a{b,{c}', '['.repeat(501)]) expect(globTest(glob)).toBeUndefined()
})

it('takes time that grows with the path only, whatever the glob', () => {
  // As a regular expression, each of these would try more combinations than there is time for.
  for (const glob of ['*a'.repeat(100), '**/'.repeat(100) + 'b', '{a,aa}'.repeat(80) + 'b', '**a'.repeat(90)])
    expect(globTest(glob)?.('a'.repeat(250))).toBe(glob === '*a'.repeat(100) || glob === '**a'.repeat(90))
})
