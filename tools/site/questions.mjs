// @ts-check
/** What people type into the search, and the page they must find among the first five answers, which are on the screen at once. */

/** @type {readonly { readonly question: string, readonly page: string }[]} */
export const questions = [
  { question: 'connect claude code', page: 'how-to/connect-an-agent' },
  { question: 'resume a killed plan', page: 'tutorials/a-plan-that-survives' },
  { question: 'backup', page: 'how-to/back-up-and-restore' },
  { question: 'postgres', page: 'tutorials/your-team-on-postgresql' },
  { question: 'write a backend', page: 'tutorials/write-a-backend' },
  { question: 'obsidian', page: 'how-to/synced-vaults' },
  { question: 'LOCK_TIMEOUT', page: 'reference/errors' },
  { question: 'openWorkspace', page: 'reference/packages/workspace' },
  { question: 'budget', page: 'explanation/budgets' },
  { question: 'secrets', page: 'how-to/secrets' },
  { question: 'AGENTM_HOME', page: 'reference/configuration' },
  { question: 'frontmatter', page: 'reference/file-formats' },
]
