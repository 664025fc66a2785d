/** Writes down for a host how to start the MCP server, or prints what to write. */
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
    throw new UsageError(`"${name}" is no host we know. There are: ${mcpHosts.map((each) => each.name).join(', ')}.`)
  const selection = processWorld()
  const world = { cwd: call.cwd, home: selection.home, env: call.env, platform: process.platform }
  const wanted = { host, entry: host.entry(await startCommand(world, host)) }
  const file = filePath(host.file(world))
  const snippet = await snippetOf(wanted)
  const { notice } = host
  const notices = notice === undefined ? [] : [notice]
  if (call.has('print'))
    return {
      text: snippet,
      data: { host: name, file, outcome: 'printed', snippet },
      notices: [`this goes into ${file}`, ...notices],
    }
  const outcome = await writeDown(file, wanted, { lockRoot: lockRootOf(selection), snippet })
  return {
    text: outcome === 'written' ? written(host, file) : `${file} starts agentm already.`,
    data: { host: name, file, outcome, snippet },
    notices,
  }
}

function written({ name }: McpHost, file: string): string {
  return `${file} tells ${name} to start agentm. Restart it, or reload its MCP servers.`
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
        throw new HostConfigError(`${file} ${error.message}. It is left alone. What belongs there:\n${snippet}`, {
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

/** A configuration kept elsewhere and linked here is rewritten where it is kept. */
async function behindLinks(file: FilePath): Promise<FilePath> {
  try {
    return (await realpath(file)) as FilePath
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return file
    throw error
  }
}
