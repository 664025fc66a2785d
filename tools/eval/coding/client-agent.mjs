// @ts-check
/** A coding agent from npm, with a home of its own and the erring model behind a server on loopback that speaks its protocol. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { clientPlace } from '../../clients/client-place.mjs'
import { startScriptedAgent } from '../../clients/scripted-agent.mjs'
import { clientCalls } from './client-calls.mjs'
import { callAt } from './erring-model.mjs'
import { processesLeft } from './processes-of.mjs'

/** @typedef {'claude-code' | 'codex'} ClientAgentName */

const script = fileURLToPath(new URL('client-worker.mjs', import.meta.url))

/** What a reply of the model server uses, at the price below: 100 tokens read, 20 written. */
export const perReply = { tokens: 120, costMicros: 800 }
const price = { input: 4, output: 20 }

/** Claude Code can be limited to some programs; Codex gets all, and its sandbox limits what they write. */
const policies = {
  'claude-code': { files: 'write', shell: ['rm'], hosts: [] },
  codex: { files: 'write', shell: 'any', hosts: [] },
}

/**
 * @param {ClientAgentName} name
 * @param {{ readonly scratch: string, readonly database: string, readonly root: string, readonly treesAt: string, readonly task: import('./repositories.mjs').Task, readonly installed: string, readonly limitAfter: number | undefined }} around
 *   `limitAfter`: a usage limit of a few seconds is reached after that many replies
 * @returns {Promise<import('./loop-agent.mjs').Agent>}
 */
export async function clientAgent(name, { scratch, database, root, treesAt, task, installed, limitAfter }) {
  const outside = path.join(scratch, 'outside', 'escaped')
  const counts = { replies: 0, limits: 0 }
  let limitedUntil = 0
  const server = await startScriptedAgent(async ({ everything, results }) => {
    if (limitAfter !== undefined && counts.replies >= limitAfter) {
      if (counts.limits === 0) limitedUntil = Math.ceil(Date.now() / 1000) + 3
      if (Date.now() < limitedUntil * 1000) {
        counts.limits += 1
        return { refused: limitOf(name, limitedUntil) }
      }
    }
    // As long as a short reply takes, so that a kill also finds a reply under way.
    await sleep(50)
    counts.replies += 1
    const failed = everything.split('and the check did not pass').length - 1
    const call = callAt(task, { failed, made: results.length })
    return call === undefined
      ? { text: 'I fixed it, and all tests pass.' }
      : { text: 'I go on.', calls: [clientCalls[name](call, { root: treeIn(everything, treesAt), outside })] }
  })
  // Limits with an end belong to a subscription, which has a token in place of a key.
  const env = name === 'claude-code' && limitAfter !== undefined ? subscription : {}
  const { home, ...place } = await clientPlace(name, { root: scratch, repo: root, url: server.url, installed, env })
  const stateDirectory = path.join(scratch, 'state')
  const described = { database, name, treesAt, price, policy: policies[name], ...place, stateDirectory }
  return {
    kind: name,
    input: { prompt: `The test ${task.test} fails. Correct ${task.source}.` },
    start: () => spawn(process.execPath, [script, JSON.stringify(described)], { stdio: ['pipe', 'ignore', 'inherit'] }),
    kill(group) {
      // 0 would be the group of this process.
      if (group <= 0) return false
      try {
        process.kill(-group, 'SIGKILL')
        return true
      } catch {
        return false
      }
    },
    async close() {
      await server.close()
      const left = (await processesLeft(`HOME=${home}`)).length
      return { ...counts, left, escaped: existsSync(outside) }
    },
  }
}

/** The tree that the agent works in, as it says itself. @param {string} everything @param {string} treesAt */
function treeIn(everything, treesAt) {
  return new RegExp(`${treesAt}/[\\w-]+/[\\w-]+`, 'u').exec(everything)?.[0] ?? ''
}

const subscription = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' }

/** What the provider answers when a limit is reached that ends at a time, in seconds. @param {ClientAgentName} name @param {number} until */
function limitOf(name, until) {
  if (name === 'codex') {
    const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'pro' }
    return { status: 429, body: { error: { ...error, resets_at: until } } }
  }
  return {
    status: 429,
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': `${until}`,
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    },
    body: {
      type: 'error',
      error: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
    },
  }
}
