// @ts-check
/** What a step needs to run a coding agent from npm: a home of its own, its program, and variables that lead to a model server on loopback. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { clients } from './clients.mjs'

/**
 * @typedef {object} ClientPlace
 * @property {string} home
 * @property {readonly string[]} command
 * @property {Readonly<Record<string, string>>} environment
 * @property {readonly string[]} variables all of them, because none is the person's
 */

/**
 * @param {import('./clients.mjs').ClientName} name
 * @param {{ readonly root: string, readonly repo: string, readonly url: string, readonly installed: string, readonly env?: Readonly<Record<string, string>> }} around
 *   `env` replaces variables of the client; one with an empty text is absent
 * @returns {Promise<ClientPlace>}
 */
export async function clientPlace(name, { root, repo, url, installed, env = {} }) {
  const home = path.join(root, 'home')
  const temporary = path.join(home, 'tmp')
  await mkdir(temporary, { recursive: true })
  await clients[name].configure({ home, repo, url })
  const all = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    TMPDIR: temporary,
    // Whatever would go to the internet goes to our server, which refuses it.
    HTTPS_PROXY: url,
    HTTP_PROXY: url,
    NO_PROXY: '127.0.0.1,localhost',
    ...clients[name].env(url),
    ...env,
  }
  const environment = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  const command = clients[name].command(path.join(installed, 'node_modules'))
  return { home, command, environment, variables: Object.keys(environment) }
}
