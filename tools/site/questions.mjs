// @ts-check
/** What people type into the search, and the page they must find among the first three answers. */

/** @type {readonly { readonly question: string, readonly page: string }[]} */
export const questions = [
  { question: 'LOCK_TIMEOUT', page: 'reference/errors' },
  { question: 'openWorkspace', page: 'reference/packages/workspace' },
  { question: 'write a backend', page: 'tutorials/write-a-backend' },
]
