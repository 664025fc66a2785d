// @ts-check
/** Pairs of episodes: of one subject, or of two. */
import { randomFrom } from '../recall/random-from.mjs'
import { projects, services } from '../recall/vocabulary.mjs'

/** @typedef {import('./trades.mjs').Pair} Pair */

/** What happens around one subject S. */
const subjects = /** @type {readonly (readonly string[])[]} */ ([
  [
    'shell: npm test in S failed, EACCES opening the lock file',
    'shell: npm test in S again, EACCES on the lock file',
    'The tests of S fail because the lock file is not writable.',
    'shell: chmod on the lock file of S, then npm test passed',
  ],
  [
    'shell: deploying S to staging timed out',
    'Deploy of S to staging timed out again after the health check',
    'The staging deploy of S hangs at the health check.',
    'shell: deploy S to staging with a longer timeout succeeded',
  ],
  [
    'http: the API of S answered 429 too many requests',
    'http: 429 from the API of S, waiting before the next request',
    'The API of S limits how many requests it takes.',
    'http: the API of S answered after a pause',
  ],
  [
    'files_read: the configuration of S names a port that is taken',
    'shell: S did not start, its port is taken',
    'S cannot start while another program has its port.',
    'files_write: the configuration of S names another port, it starts',
  ],
  [
    'shell: the migration of the S database failed on a duplicate key',
    'The S database holds a duplicate key, the migration stops',
    'shell: removed the duplicate key, the S database migrated',
    'Before migrating the S database, look for duplicate keys.',
  ],
  [
    'memory_recall: what is known about invoices of S',
    'files_read: how S rounds the amounts of invoices',
    'Invoices of S are rounded once, at the end.',
    'files_write: S rounds amounts of invoices at the end',
  ],
])

/** @param {number} seed @param {number} many @returns {Pair[]} */
export function episodePairs(seed, many) {
  const { pick, some } = randomFrom(seed)
  return Array.from({ length: many }, (_, i) => {
    const subject = pick([...projects, ...services])
    const filled = (/** @type {string} */ text) => text.replaceAll(/\bS\b/g, subject)
    const [one = [], other = []] = some(subjects, 2)
    const [a = '', b = ''] = some(one, 2)
    return { a: filled(a), b: filled(i % 2 === 0 ? b : pick(other)), same: i % 2 === 0 }
  })
}
