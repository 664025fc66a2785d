// @ts-check
/** Somebody's home with agentm set up in it and so many notes, written as files and indexed by the command; removed at the end. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { formatNote } from '@agentm/memory/notes'
import { root } from '../../run.mjs'
import { notesOf } from './prose.mjs'

export const exec = promisify(execFile)
export const agentm = path.join(root, 'packages/cli/bin/agentm.mjs')

/** @typedef {{ readonly title: string, readonly text: string, readonly file: string }} KeptNote */
/** @typedef {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv, readonly store: string, readonly notes: readonly KeptNote[] }} FilledHome */

/** @type {Map<number, Promise<FilledHome>>} */
const filled = new Map()

/** The same one for every case of this process. @param {number} size */
export function filledHome(size) {
  const known = filled.get(size) ?? fill(size)
  filled.set(size, known)
  return known
}

/** @param {number} size @returns {Promise<FilledHome>} */
async function fill(size) {
  const home = await emptyHome()
  const notes = await writeNotes(home.store, size)
  await exec(process.execPath, [agentm, 'reindex'], home)
  return { ...home, notes }
}

/** With agentm set up, and without notes. */
export async function emptyHome() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'agentm-bench-recall-'))
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  const cwd = path.join(home, 'work')
  mkdirSync(cwd)
  const env = { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: path.join(home, '.cache') }
  await exec(process.execPath, [agentm, 'init', '--yes'], { cwd, env })
  return { cwd, env, store: path.join(home, '.agentm', 'memory') }
}

/** @param {string} store @param {number} size */
async function writeNotes(store, size) {
  mkdirSync(path.join(store, 'personal', 'fact'), { recursive: true })
  const notes = notesOf(size).map((note, i) => ({
    ...note,
    file: path.join(store, 'personal', 'fact', `note-${i + 1}.md`),
    slug: `note-${i + 1}`,
    created: new Date(Date.UTC(2024, 0, 1) + Math.floor((i / size) * 600) * 86_400_000).toISOString(),
  }))
  for (const { file, title, text, slug, created } of notes)
    await writeFile(
      file,
      formatNote({ kind: 'fact', created, tags: [], group: 'personal', slug, more: { title }, text }),
    )
  return notes
}

/** In a process of its own there: see in-the-home.mjs. @param {Pick<FilledHome, 'cwd' | 'env'>} home @param {string} what @param {unknown} settings */
export async function measureIn({ cwd, env }, what, settings) {
  const script = path.join(import.meta.dirname, 'in-the-home.mjs')
  const { stdout } = await exec(process.execPath, [script, what, JSON.stringify(settings)], { cwd, env })
  return JSON.parse(stdout)
}
