// @ts-check
/** What people type into the search, and the page they must find among the first five answers, which are on the screen at once. */

/** @type {readonly { readonly question: string, readonly page: string }[]} */
export const questions = [
  { question: 'write a backend', page: 'tutorials/write-a-backend' },
  { question: 'obsidian', page: 'how-to/synced-vaults' },
  { question: 'LOCK_TIMEOUT', page: 'reference/errors' },
  { question: 'openWorkspace', page: 'reference/packages/workspace' },
  { question: 'AGENTM_HOME', page: 'reference/configuration' },
  { question: 'frontmatter', page: 'reference/file-formats' },
]
