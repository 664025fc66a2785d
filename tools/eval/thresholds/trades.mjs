// @ts-check
/** Agents of many trades, each said in two ways: two of one trade are the same agent, two of different trades are not. */
import { capabilityText } from '../../../packages/planner/dist/pure/capability.js'
import { grantedTools } from '../../../packages/planner/dist/pure/granted-tools.js'
import { seedRoles } from '../../../packages/planner/dist/pure/seed-roles.js'
import { randomFrom } from '../recall/random-from.mjs'

/** Role, two descriptions, domains, tools. */
const others = /** @type {const} */ ([
  [
    'translator',
    'translates documents between languages and keeps their tone',
    'translates texts from one language to another, keeping the tone of the documents',
    ['languages'],
    ['files_read', 'files_write'],
  ],
  [
    'accountant',
    'books invoices, reconciles accounts and prepares tax reports',
    'prepares tax reports, reconciles accounts and books invoices',
    ['finance'],
    ['files_read', 'sheets'],
  ],
  [
    'designer',
    'draws interfaces, icons and layouts, and keeps the style guide',
    'keeps the style guide; draws layouts, icons and user interfaces',
    ['design'],
    ['files_write', 'images'],
  ],
  [
    'tester',
    'tries out programs by hand, finds defects and writes them up',
    'finds defects by trying out programs by hand, and writes them up',
    ['quality'],
    ['shell', 'browser'],
  ],
  [
    'security auditor',
    'looks for vulnerabilities in code, dependencies and configuration',
    'looks for vulnerabilities in configuration, code and dependencies',
    ['security'],
    ['files_read', 'shell'],
  ],
  [
    'database administrator',
    'tunes queries, plans indexes, runs backups and restores of databases',
    'runs backups and restores of databases, tunes queries and plans indexes',
    ['databases'],
    ['shell', 'sql'],
  ],
  [
    'support agent',
    'answers customers, sorts their tickets and hands hard ones on',
    'sorts tickets of customers, answers them and hands the hard ones on',
    ['support'],
    ['mail', 'http'],
  ],
  [
    'data scientist',
    'cleans data sets, fits models and plots the results',
    'fits models to data sets it has cleaned, and plots the results',
    ['statistics'],
    ['shell', 'notebook'],
  ],
  [
    'recruiter',
    'writes job advertisements, reads applications and schedules interviews',
    'schedules interviews, reads applications and writes job advertisements',
    ['people'],
    ['mail', 'calendar'],
  ],
  [
    'lawyer',
    'reads contracts and licences and points out what binds us',
    'points out what binds us in contracts and licences it reads',
    ['law'],
    ['files_read'],
  ],
])

const roles = [
  ...seedRoles.map(({ slug, description, domains, tools }) => ({
    role: slug,
    wordings: [description, turned(description)],
    domains,
    tools: [...tools, 'files_read', 'shell', 'memory_recall', 'http'],
  })),
  ...others.map(([role, one, two, domains, tools]) => ({ role, wordings: [one, two], domains, tools })),
]

/** @typedef {{ readonly a: string, readonly b: string, readonly same: boolean }} Pair */

/** @param {number} seed @param {number} many @returns {Pair[]} */
export function agentPairs(seed, many) {
  const { pick, below, some } = randomFrom(seed)
  const capability = (/** @type {(typeof roles)[number]} */ { role, wordings, domains, tools }) =>
    // Most agents of a trade have the description of their role; tools come and go.
    capabilityText({
      role,
      description: below(4) === 0 ? (wordings[1] ?? '') : (wordings[0] ?? ''),
      domains,
      tools: some(tools, 1 + below(tools.length)),
    })
  return Array.from({ length: many }, (_, i) => {
    const one = pick(roles)
    const other = i % 2 === 0 ? one : pick(roles.filter(({ role }) => role !== one.role))
    return { a: capability(one), b: capability(other), same: i % 2 === 0 }
  })
}

/** The two halves of a description in the other order. @param {string} text */
function turned(text) {
  return text.split(/; /).toReversed().join('; ')
}

/** What installations offer, from nothing to everything. */
const installations = [
  [],
  ['memory_recall', 'memory_save'],
  ['files_list', 'files_read', 'memory_recall', 'memory_save'],
  ['files_list', 'files_read', 'files_write', 'files_edit', 'memory_recall', 'memory_save'],
  ['files_list', 'files_read', 'memory_recall', 'memory_save', 'shell'],
  ['files_list', 'files_read', 'memory_recall', 'memory_save', 'http', 'http_send'],
  [
    'files_list',
    'files_read',
    'files_write',
    'files_edit',
    'memory_recall',
    'memory_save',
    'shell',
    'http',
    'http_send',
  ],
]

/** Every two agents that seed roles become, whatever was installed when each was made. @returns {Pair[]} */
export function rolePairs() {
  const made = seedRoles.flatMap((role) =>
    installations.map((names) => {
      const { tools } = grantedTools(
        role,
        names.map((name) => ({ name, nature: /** @type {const} */ ('pure') })),
      )
      const { slug, description, domains } = role
      return { slug, text: capabilityText({ role: slug, description, domains, tools }) }
    }),
  )
  return made.flatMap((one, i) =>
    made.slice(i + 1).map((other) => ({ a: one.text, b: other.text, same: one.slug === other.slug })),
  )
}
