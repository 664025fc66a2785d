// @ts-check
/**
 * Where pages are played: a home of its own for each, in which `npx @agentm/cli` and `npm install @agentm/…` bring the packages as they would
 * be published, from a registry on this machine's loopback, and a PostgreSQL server answers where a page starts one.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { loopbackRegistry } from '../install/loopback-registry.mjs'
import { packAll } from '../install/packed.mjs'
import { findPostgres, startPostgres } from '../postgres-server.mjs'
import { root } from '../run.mjs'

/** The address of the server that pages tell their reader to start. */
const printedServer = 'postgres://postgres@localhost:5432/postgres'
/** An empty database of that server. */
const printedEmpty = 'postgres://postgres@localhost:5432/restored'
/** The port of `agentm serve`. */
const printedPort = '7821'

/** @returns {Promise<string[]>} the pages whose commands are typed, seen from the root */
export async function playedPages() {
  const folders = ['docs/tutorials', 'docs/how-to', 'docs/explanation']
  const pages = await Promise.all(
    folders.map(async (folder) => (await readdir(path.join(root, folder))).map((name) => `${folder}/${name}`)),
  )
  return ['README.md', ...pages.flat().filter((name) => name.endsWith('.md'))].toSorted()
}

/**
 * @param {{ readonly here: boolean }} how `here`: `npx @agentm/cli` starts the command of this checkout, and nothing is packed
 */
export async function openStages({ here }) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-pages-'))
  const { devDependencies: pins } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  const registry = here ? undefined : await loopbackRegistry(await packAll(root, await madeIn(scratch, 'packed')))
  if (registry !== undefined) await writeFile(path.join(scratch, 'npmrc'), `@agentm:registry=${registry.url}\n`)
  const commands = await madeIn(scratch, 'bin')
  if (here) await writeShim(commands)
  /** @type {import('../postgres-server.mjs').OwnPostgres[]} */
  const servers = []

  /** @param {string} page its text @returns {Promise<import('./play-page.mjs').Stage | { readonly absent: string }>} */
  async function stageFor(page) {
    const installed = page.includes(printedServer) ? findPostgres() : undefined
    if (typeof installed === 'string') return { absent: installed }
    const server = installed === undefined ? undefined : await startPostgres(installed)
    if (server !== undefined) servers.push(server)
    const folder = await mkdtemp(path.join(scratch, 'home-'))
    const port = String(await freePort())
    const places = { [printedPort]: port, ...(server === undefined ? {} : { [printedServer]: server.url }) }
    if (installed !== undefined && server !== undefined && page.includes(printedEmpty)) {
      execFileSync(path.join(installed.bin, 'psql'), ['-qc', 'create database restored', server.url])
      Object.assign(places, { [printedEmpty]: server.url.replace('/postgres?', '/restored?') })
    }
    return {
      folder,
      env: { ...environment({ commands, scratch }), AGENTM_MCP_PORT: port },
      tsc: path.join(root, 'node_modules/.bin/tsc'),
      pins,
      places,
    }
  }

  return {
    stageFor,
    async close() {
      registry?.close()
      for (const server of servers) await server.stop()
      await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

/** What programs of this machine need, and nothing that leads to somebody's own files. @param {{ readonly commands: string, readonly scratch: string }} where */
function environment({ commands, scratch }) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(LANG|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|.*_proxy)$/i.test(name),
  )
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])),
    PATH: `${commands}${path.delimiter}${withoutModules(process.env['PATH'] ?? '')}`,
    NO_COLOR: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'init.defaultBranch',
    GIT_CONFIG_VALUE_0: 'main',
    // One cache for all pages, so that what npx brings is brought once, and never one that knows packages of another day.
    npm_config_cache: path.join(scratch, 'npm-cache'),
    // Found from every home a page makes for itself.
    npm_config_globalconfig: path.join(scratch, 'npmrc'),
    npm_config_yes: 'true',
    npm_config_loglevel: 'error',
    npm_config_progress: 'false',
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
  }
}

/** What `npm run` and `npx` put in front would answer for commands that a reader does not have, and a reader has no `agentm`. @param {string} searched */
function withoutModules(searched) {
  return searched
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules') && !existsSync(path.join(folder, 'agentm')))
    .join(path.delimiter)
}

/** @param {string} commands */
async function writeShim(commands) {
  const real = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
  const file = path.join(commands, 'npx')
  const agentm = path.join(root, 'packages/cli/bin/agentm.mjs')
  await writeFile(
    file,
    `#!/bin/sh\nPATH='${real}'\n[ "$1" = -y ] && shift\ncase "$1" in @agentm/cli | @agentm/cli@latest) shift; exec '${process.execPath}' '${agentm}' "$@" ;; esac\nexec npx "$@"\n`,
  )
  await chmod(file, 0o755)
}

/** @param {string} scratch @param {string} name */
async function madeIn(scratch, name) {
  const folder = path.join(scratch, name)
  await mkdir(folder)
  return folder
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
