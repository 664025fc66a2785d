// @ts-check
/** What `rg -i` for each word of a question tells: notes that contain most of the words, then most often. Absent without `rg`. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { noteText } from '../note-text.mjs'

export const hasRipgrep = spawnSync('rg', ['--version']).status === 0

/** @type {import('../../recall.mjs').System} */
export const ripgrep = {
  id: 'ripgrep',
  open: async ({ corpus }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agentm-eval-rg-'))
    for (const note of corpus) await writeFile(path.join(folder, `${note.id}.md`), noteText(note))
    const rank = (/** @type {string} */ question) => {
      /** @type {Map<string, { distinct: number, all: number }>} */
      const found = new Map()
      for (const word of new Set(question.split(/[\s?!,;:¿]+/u).filter((each) => each.length > 1))) {
        const { stdout } = spawnSync('rg', ['-i', '-F', '--count-matches', '--no-messages', '-e', word, '.'], {
          cwd: folder,
          encoding: 'utf8',
        })
        for (const line of stdout.split('\n').filter(Boolean)) {
          const [, id = '', count = '0'] = /^(?:\.\/)?(.*)\.md:(\d+)$/.exec(line) ?? []
          const before = found.get(id) ?? { distinct: 0, all: 0 }
          found.set(id, { distinct: before.distinct + 1, all: before.all + Number(count) })
        }
      }
      return [...found].toSorted(([, a], [, b]) => b.distinct - a.distinct || b.all - a.all).map(([id]) => id)
    }
    return { rank, close: () => rm(folder, { recursive: true }) }
  },
}
