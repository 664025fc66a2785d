/** A store of small notes about copper pipes in three or four directories, and where an index keeps its state. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { KeyedStore } from '@agentm/memory'
import { memoryWorld } from './memory-world.ts'

export const noteText = (body: string) => `---\nkind: fix\nstatus: active\ncreated: 2026-01-02\n---\n\n${body}\n`

export async function pipeNotes({ notes, directories }: { readonly notes: number; readonly directories: number }) {
  const world = await memoryWorld()
  const texts = new Map<string, string>()
  const state: KeyedStore = {
    read: async (key) => texts.get(key),
    write: async (key, text) => void texts.set(key, text),
    remove: async (key) => void texts.delete(key),
  }
  const at = (key: string) => path.join(world.file('store'), key)
  const write = async (key: string, body: string) => {
    await mkdir(path.dirname(at(key)), { recursive: true })
    await writeFile(at(key), noteText(body))
  }
  for (let i = 0; i < notes; i++)
    await write(`projects/acme/d${i % directories}/n${i}.md`, `Copper pipe number ${i} leaks.`)
  return { world, texts, state, at, write }
}
