import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const source = new URL('../src/', import.meta.url)

/** Every module an entry loads, ours and others', types aside. */
async function loadedBy(file: URL, seen = new Set<string>()): Promise<Set<string>> {
  // Examples in comments import what they are about.
  const text = (await readFile(file, 'utf8')).replaceAll(/^\s*\*.*$/gm, '')
  for (const [, typeOnly, name = ''] of text.matchAll(/^(?:import|export)\s(type\s)?[^'"]*?from '([^']+)'/gm)) {
    if (typeOnly !== undefined || seen.has(name)) continue
    seen.add(name.startsWith('.') ? new URL(name, file).href : name)
    if (name.startsWith('.')) await loadedBy(new URL(name, file), seen)
  }
  return seen
}

it('the reader entry loads no writer and no schema library', async () => {
  const loaded = await loadedBy(new URL('reader.ts', source))
  const packages = [...loaded].filter((name) => !name.startsWith('file:') && !name.startsWith('node:'))
  expect(packages.toSorted()).toEqual(['@agentm/selection/reader', '@agentm/settings', '@agentm/storage-seam'])
  expect([...loaded].filter((name) => /write-|bind-|repo-registry/.test(name))).toEqual([])
  expect([...(await loadedBy(new URL('index.ts', source)))].join()).toMatch(/write-state-file/)
})
