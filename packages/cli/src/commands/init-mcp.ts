/** Adds the MCP server to the configuration of a host, or prints what to add. */
import { realpath } from 'node:fs/promises'
import { lockRootOf, processWorld, readTextFile } from '@agentm/selection'
import { atomicWrite, type FilePath, filePath, vaultMutex } from '@agentm/vault-lock'
import { type Answer, type Call, UsageError } from '../command.ts'
import { HostConfigError, mergeHostConfig, snippetOf } from '../hosts/merge-host-config.ts'
import { type McpHost, mcpHosts } from '../hosts/mcp-hosts.ts'
import { startCommand } from '../hosts/start-command.ts'

export async function initMcp(name: string, call: Call): Promise<Answer> {
  const host = mcpHosts.find((each) => each.name === name)
  if (host === undefined)
    throw new UsageError(`there is no host "${name}". Choose from: ${mcpHosts.map((each) => each.name).join(', ')}.`)
  const selection = processWorld()
  const world = { cwd: call.cwd, home: selection.home, env: call.env, platform: process.platform }
  const wanted = { host, entry: host.entry(startCommand(world, host)) }
  const file = filePath(host.file(world))
  const snippet = await snippetOf(wanted)
  const { notice } = host
  const notices = notice === undefined ? [] : [notice]
  if (call.has('print'))
    return {
      text: snippet,
      data: { host: name, file, outcome: 'printed', snippet },
      notices: [`add this to ${file}`, ...notices],
    }
  const outcome = await writeDown(file, wanted, { lockRoot: lockRootOf(selection), snippet })
  return {
    text: outcome === 'written' ? written(host, file) : `${name} is already connected: ${file} starts agentm.`,
    data: { host: name, file, outcome, snippet },
    notices,
  }
}

function written({ name }: McpHost, file: string): string {
  return `Connected ${name}: ${file} now starts agentm. Restart ${name}, or reload its MCP servers.`
}

type Wanted = Parameters<typeof mergeHostConfig>[1]

async function writeDown(
  file: FilePath,
  wanted: Wanted,
  { lockRoot, snippet }: { readonly lockRoot: FilePath; readonly snippet: string },
): Promise<'written' | 'unchanged'> {
  return vaultMutex(
    file,
    async (hold) => {
      const current = await textOf(file)
      const next = await mergeHostConfig(current, wanted).catch((error: unknown) => {
        if (!(error instanceof HostConfigError)) throw error
        throw new HostConfigError(`${file} ${error.message}, so it was not changed. Add this by hand:\n${snippet}`, {
          cause: error.cause,
        })
      })
      if (next === current) return 'unchanged'
      await atomicWrite(await behindLinks(file), next, { hold })
      return 'written'
    },
    { lockRoot },
  )
}

async function textOf(file: FilePath): Promise<string | undefined> {
  const found = await readTextFile(file)
  if (found.kind === 'unreadable') throw new HostConfigError(`${file} ${found.why}.`, { cause: found.cause })
  return found.kind === 'text' ? found.text : undefined
}

/** A configuration file that is a symbolic link is rewritten at its target. */
async function behindLinks(file: FilePath): Promise<FilePath> {
  try {
    return (await realpath(file)) as FilePath
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return file
    throw error
  }
}
