// @ts-check
/** Steps with the role they are for: written by hand, and put together from a seed. */
import { randomFrom } from '../recall/random-from.mjs'
import { projects, services } from '../recall/vocabulary.mjs'

/** @typedef {{ readonly role: string, readonly text: string }} LabelledStep */

/** @type {Readonly<Record<string, readonly string[]>>} */
const written = {
  researcher: [
    'Find out how the lock handles a dead holder\nRead the lock sources and summarise what happens when its holder dies.',
    'Compare three message queues\nGather what each promises about ordering and write up the differences.',
    'Read the incident reports of last month\nSummarise what they have in common.',
    'Explain why the nightly job is slow\nAnalyse logs and code, and answer where the time goes.',
    'Survey open source vector stores\nCollect licence, size and maturity of each.',
    'What does the specification say about retries?\nQuote every paragraph that mentions them.',
    'Review the literature on consensus protocols\nList the main papers and what they claim.',
    'Check which of our dependencies are unmaintained\nLook up the last release of each one.',
    'Understand the billing code\nRead it and describe how an invoice comes to be.',
    'Look for prior art on offline sync\nSearch papers and blogs, and compare the approaches.',
    'Answer the security questionnaire\nFind the answers in our documentation.',
    'Investigate the memory leak report\nRead the heap snapshots and say what is retained.',
  ],
  builder: [
    'Write the parser\nImplement the grammar of appendix B, with unit tests.',
    'Fix the failing test in the scheduler\nChange the code until the suite passes.',
    'Refactor the storage module\nSplit it in two files without changing behaviour.',
    'Add a --json flag to the command\nWrite code and tests for machine readable output.',
    'Write the release notes\nCreate CHANGELOG.md with what changed for users.',
    'Create a landing page\nWrite HTML and CSS for the new product.',
    'Generate typed clients from the schema\nAdd a script to the repository that writes them.',
    'Implement pagination in the list endpoint\nChange the handler and add tests.',
    'Translate the user guide to German\nWrite the translated files beside the originals.',
    'Speed up the import\nRewrite the inner loop and keep the tests green.',
    'Draft the design document\nWrite docs/design.md with two alternatives.',
    'Replace the date library\nEdit every file that uses it, and run the tests.',
  ],
  operator: [
    'Deploy the new version to staging\nRoll it out and watch the error rate.',
    'Restart the mail server\nStop the service, start it again, and check that mail flows.',
    'Install PostgreSQL on the build machine\nConfigure it to start at boot.',
    'Rotate the API keys\nCreate new ones, configure the services, and revoke the old ones.',
    'Move the backups to the new bucket\nCopy the data and verify the checksums.',
    'Send the weekly report to the list\nPost it through the mail API.',
    'Run the database migration in production\nTake a backup, migrate, and watch the replicas.',
    'Scale the workers to eight\nChange the setting on the cluster and see that they register.',
    'Set up the firewall rules\nOpen port 443, close everything else.',
    'Upload the build to the download server\nAnd check that the link works.',
    'Renew the TLS certificate\nRequest it, install it, and reload the proxy.',
    'Clean up the disk of the CI runner\nRemove old images and watch the free space.',
  ],
}

/** @type {Readonly<Record<string, { readonly verbs: readonly string[], readonly objects: readonly string[], readonly goals: readonly string[] }>>} */
const parts = {
  researcher: {
    verbs: ['Find out', 'Investigate', 'Summarise', 'Compare', 'Read up on', 'Explain', 'Analyse', 'Review'],
    objects: [
      'how X handles timeouts',
      'what the documents say about X',
      'why X fails at night',
      'the options for X',
      'what changed in X last year',
      'which libraries X relies on',
    ],
    goals: [
      'Gather the sources and say where each finding comes from.',
      'Read the code and the documents, and answer the question.',
      'Collect what is known and summarise it.',
      'Search for similar reports and compare them.',
    ],
  },
  builder: {
    verbs: ['Write', 'Implement', 'Add', 'Fix', 'Refactor', 'Rewrite', 'Create', 'Change'],
    objects: [
      'the retry code of X',
      'tests for X',
      'the error messages of X',
      'the parser in X',
      'a new module for X',
      'the documentation files of X',
    ],
    goals: [
      'Change the code and run the tests.',
      'Write the files in the working folder and check that they build.',
      'Implement it with unit tests.',
      'Edit the sources; the suite has to pass.',
    ],
  },
  operator: {
    verbs: ['Deploy', 'Restart', 'Install', 'Configure', 'Migrate', 'Monitor', 'Roll back', 'Start'],
    objects: [
      'X in production',
      'the X service',
      'X on the new machine',
      'the X cluster',
      'the X server',
      'the workers of X',
    ],
    goals: [
      'Watch the service until it is healthy.',
      'Send the request and check the status.',
      'Do it on the running system, and say how to undo it.',
      'Stop it first, move the data, start it again.',
    ],
  },
}

export const handWrittenSteps = Object.entries(written).flatMap(([role, texts]) =>
  texts.map((text) => ({ role, text })),
)

/** @param {number} seed @param {number} many @returns {LabelledStep[]} */
export function generatedSteps(seed, many) {
  const { pick } = randomFrom(seed)
  const roles = Object.keys(parts)
  return Array.from({ length: many }, (_, i) => {
    const role = roles[i % roles.length] ?? ''
    const { verbs = [], objects = [], goals = [] } = parts[role] ?? {}
    const subject = pick([...projects, ...services])
    return { role, text: `${pick(verbs)} ${pick(objects).replace('X', subject)}\n${pick(goals)}` }
  })
}
