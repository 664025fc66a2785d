// @ts-check
/** S3: eight processes add lines to one note at once, and every line must be there. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { compare, interleave } from '../frame.mjs'
import { race } from './team.mjs'

const processes = 8
const updatesEach = 50
const peer = 'proper-lockfile + write-file-atomic'

/** @param {string} kind @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} */
export function sharedNote(kind) {
  return async ({ repeats, scale, scratch }) => {
    let lost = 0
    let peerLost = 0
    /** @param {string} way @param {number} [team] */
    const turn = async (way, team = processes) => updateTogether(way, team, scratch)
    const peerTurn = async (/** @type {string} */ wait) => {
      const round = await turn(wait)
      peerLost += round.lost
      return round.perSecond
    }
    const figures = await interleave(
      {
        ours: async () => {
          const round = await turn(kind)
          lost += round.lost
          return round.perSecond
        },
        // One process with nobody to wait for: no number of processes can beat it on one note.
        floor: async () => (await turn('floor', 1)).perSecond,
        [peer]: async () => peerTurn('steady'),
        [`${peer}, eager`]: async () => peerTurn('eager'),
      },
      Math.max(1, Math.round(Math.min(repeats, 5) * scale)),
    )
    return {
      ...compare(figures, 'more'),
      counts: { lost },
      notes: [
        `${processes * updatesEach} updates a round; the peer lost ${peerLost}`,
        'the peer looks again after 10 to 200 ms, the eager one after 1 to 20 ms',
      ],
    }
  }
}

/** @param {string} way @param {number} team @param {string} scratch */
async function updateTogether(way, team, scratch) {
  const root = path.join(await mkdtemp(path.join(scratch, 'shared-')), 'store')
  await mkdir(root)
  await writeFile(path.join(root, 'note.md'), '')
  const each = (processes * updatesEach) / team
  const names = Array.from({ length: team }, (_, n) => `p${n}`)
  const members = names.map((name) => [way, root, name, String(each)])
  const { elapsedMs } = await race('update-worker.mjs', members, scratch)
  const lines = new Set((await readFile(path.join(root, 'note.md'), 'utf8')).split('\n'))
  const expected = names.flatMap((name) => Array.from({ length: each }, (_, n) => `${name}-${n}`))
  const lost = expected.filter((line) => !lines.has(line)).length
  return { perSecond: (expected.length * 1000) / elapsedMs, lost }
}
