// @ts-check
/** Pairs of beliefs: said twice, or two beliefs about related things. Those that differ in a number, a name or a "not" are told apart before likeness is asked. */
import { statementDifference } from '../../../packages/learning/dist/statements.js'
import { randomFrom } from '../recall/random-from.mjs'
import { projects, regions, services } from '../recall/vocabulary.mjs'

/** @typedef {import('./trades.mjs').Pair} Pair */

const saidTwice = [
  ['The lock file is kept outside the vault.', 'Outside the vault is where the lock file is kept.'],
  ['Tests have to run before every commit.', 'Before every commit the tests have to run.'],
  ['Ada prefers short commit messages.', 'Short commit messages are what Ada prefers.'],
  ['Staging deploys fail when the cache is cold.', 'When the cache is cold, deploys to staging fail.'],
  ['The importer needs a warm cache to finish.', 'To finish, the importer needs its cache to be warm.'],
  ['Long transactions make the nightly backup slow.', 'The nightly backup gets slow because of long transactions.'],
  ['Search results are cached for one hour.', 'The results of a search are cached for one hour.'],
  [
    'The gateway rejects requests without a trace header.',
    'Requests without a trace header are rejected by the gateway.',
  ],
  ['Reading the log first saves time when a deploy fails.', 'When a deploy fails, reading the log first saves time.'],
  ['Uploads above the size limit are dropped silently.', 'Uploads are dropped silently above the size limit.'],
  ['The team writes its documents in plain Markdown.', 'Plain Markdown is what the team writes its documents in.'],
  ['Webhooks are delivered more than once.', 'Webhooks may be delivered more than once.'],
]

const twoBeliefs = [
  ['The lock file is kept outside the vault.', 'The vault is synced by another program.'],
  ['Tests have to run before every commit.', 'Commits are squashed before they are merged.'],
  ['Ada prefers short commit messages.', 'Ada prefers reviews in the morning.'],
  ['Staging deploys fail when the cache is cold.', 'Staging has less memory than production.'],
  ['Search results are cached for one hour.', 'Search results are ranked by recency.'],
  ['The gateway rejects requests without a trace header.', 'The gateway logs every request with its trace header.'],
  ['Uploads above the size limit are dropped silently.', 'Uploads are scanned for viruses when they arrive.'],
  ['Webhooks are delivered more than once.', 'Webhooks are signed with a shared secret.'],
  ['The nightly backup takes an hour.', 'The nightly backup is kept on another continent.'],
  ['Invoices are rounded at the end.', 'Invoices are sent on the first working day.'],
]

/** Facts about a subject S in a place P: each with other wordings of it. */
const facts = /** @type {readonly (readonly string[])[]} */ ([
  ['S restarts itself after a crash.', 'After a crash, S restarts itself.', 'When it crashed, S restarts by itself.'],
  ['S keeps its data in P.', 'The data of S is kept in P.', 'In P is where S keeps its data.'],
  ['S is slow while backups run.', 'While backups run, S is slow.', 'S gets slow when backups are running.'],
  [
    'S needs a key from the environment.',
    'A key from the environment is needed by S.',
    'For S to run, the environment needs to hold a key.',
  ],
  ['S writes its logs as JSON.', 'The logs of S are written as JSON.', 'JSON is what S writes its logs as.'],
  [
    'S has to be deployed before the others.',
    'Before the others, S has to be deployed.',
    'Deploy S before the others.',
  ],
  [
    'S retries failed requests with growing pauses.',
    'Failed requests are retried by S with growing pauses.',
    'With growing pauses, S retries requests that failed.',
  ],
  ['S is owned by the team in P.', 'The team in P owns S.', 'The owner of S is the team in P.'],
])

/** @param {number} seed @param {number} many @returns {Pair[]} */
export function beliefPairs(seed, many) {
  const { pick, some } = randomFrom(seed)
  /** @type {Pair[]} */
  const pairs = []
  while (pairs.length < many) {
    const [subject, place] = [pick([...projects, ...services.map((name) => `the ${name} service`)]), pick(regions)]
    const filled = (/** @type {string} */ text) => text.replace('S', subject).replace('P', place)
    const [one = [], other = []] = some(facts, 2)
    const [a = '', b = ''] = some(one, 2)
    const same = pairs.length % 2 === 0
    const pair = { a: filled(a), b: filled(same ? b : pick(other)), same }
    // Likeness is asked of what passes this alone.
    if (statementDifference(pair.a, pair.b) === undefined) pairs.push(pair)
  }
  return pairs
}

export const handWrittenBeliefs = [
  ...saidTwice.map(([a = '', b = '']) => ({ a, b, same: true })),
  ...twoBeliefs.map(([a = '', b = '']) => ({ a, b, same: false })),
].filter(({ a, b }) => statementDifference(a, b) === undefined)
