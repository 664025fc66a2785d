import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const guide = await readFile(new URL('docs/tutorials/write-a-backend.md', root), 'utf8')

describe('docs/tutorials/write-a-backend.md', () => {
  it.each(blocksIn(guide))('shows $file as it is', async ({ file, code }) => {
    const kept = await readFile(new URL(`examples/ten-line-backend/${file}`, root), 'utf8')
    expect(plain(file, code)).toEqual(plain(file, kept))
  })

  it('shows no code that is not a file of the example, save commands and what they print', () => {
    const fences = [...guide.matchAll(/^```(\w+)$/gm)].filter(([, language = '']) => !['sh', 'text'].includes(language))
    expect(fences).toHaveLength(blocksIn(guide).length)
    expect(fences.length).toBeGreaterThan(5)
  })

  it('is noticed when it shows something else', () => {
    expect(blocksIn('`src/a.ts`:\n\n```ts\nconst a = 1\n```\n')).toEqual([{ file: 'src/a.ts', code: 'const a = 1\n' }])
    expect(blocksIn('```ts\nconst a = 1\n```\n')).toEqual([])
  })
})

/** Each block that follows a line with nothing but a file's name in it. */
function blocksIn(markdown: string): { file: string; code: string }[] {
  const blocks = markdown.matchAll(/^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$/gms)
  return [...blocks].map(([, file = '', code = '']) => ({ file, code }))
}

/** JSON by what it says: the formatter breaks its lines differently inside Markdown. */
function plain(file: string, code: string): unknown {
  return file.endsWith('.json') ? JSON.parse(code) : code
}
