/** Forged names, on every surface of the command and of the MCP server. */
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it, onTestFinished } from 'vitest'
import { evil, faultsIn, furnished } from './forged-world.ts'

const agentm = path.join(import.meta.dirname, '../bin/agentm.mjs')

it('never begin a line of their own on a surface of the command', { timeout: 300_000 }, async () => {
  const { world, name } = await furnished()
  const steps = JSON.stringify({ goal: evil, steps: [{ key: 'a', title: evil, kind: 'approval' }] })
  await world.agentm(['plan', 'new', '--steps', '-', '--id', 'p1'], steps)
  const key = `personal/fact/${name}.md`
  const calls: readonly (readonly string[])[] = [
    ['recall', 'zirconium lamp', '--why'],
    ['notes'],
    ['notes', 'show', key],
    ['history', key],
    ['history', evil],
    ['inbox'],
    ['inbox', 'show', name],
    ['inbox', 'show', evil],
    ['inbox', 'accept', name],
    ['beliefs'],
    ['beliefs', 'show', evil],
    ['lint'],
    ['reindex'],
    ['conflicts'],
    ['doctor'],
    ['plans'],
    ['project'],
    ['repos', 'list'],
    ['status'],
    ['status', 'p1/a'],
    ['status', evil],
    ['trace', 'p1'],
    ['trace', evil],
    ['agents'],
    ['forget', `Diary/${name}.md`],
    ['supersede', `Diary/${name}.md`, 'x', '--reason', 'y'],
    ['restore', `nothing/${name}.md`],
    ['recall', 'x', '--project', evil],
    ['recall', 'x', '--of', evil],
    ['save', evil, '--kind', evil],
    ['capture', evil],
    ['state', 'read', evil],
    [evil],
    ['seam', 'recall-here', '--query', 'zirconium lamp'],
    ['seam', evil],
  ]
  const told: Record<string, readonly string[]> = {}
  const silent: string[] = []
  for (const args of calls) {
    const { out, err } = await world.agentm(args)
    const faults = faultsIn(`${out}\n${err}`)
    if (faults.length > 0) told[args.join(' ').slice(0, 60)] = faults
    if (out + err === '') silent.push(args.join(' '))
  }
  expect(told).toEqual({})
  expect(silent).toEqual([])
})

it('never begin a line of their own in what a tool or a resource answers', { timeout: 60_000 }, async () => {
  const { world, name } = await furnished()
  const { PATH = '' } = process.env
  const env = { PATH, HOME: world.home, XDG_CACHE_HOME: path.join(world.home, '.cache') }
  const client = new Client({ name: 'test', version: '1' })
  const server = { command: process.execPath, args: [agentm, 'mcp'], cwd: world.repo, env }
  await client.connect(new StdioClientTransport(server))
  onTestFinished(() => client.close())
  const diary = `Diary/${name}.md`
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['memory_recall', { query: 'zirconium lamp' }],
    ['memory_recall', { query: 'zirconium lamp', since: evil }],
    ['memory_forget', { note: diary }],
    ['memory_forget', { note: evil }],
    ['memory_save', { kind: evil, text: 'x' }],
    ['memory_capture', { text: evil, kind: 'idea' }],
    ['state_read', { file: evil }],
    ['state_read', { file: `PLAN-${name}.md` }],
    ['state_read', { file: 'trace', plan: evil }],
  ]
  for (const [tool, args] of calls) {
    const { content } = await client.callTool({ name: tool, arguments: args })
    const [{ text } = { text: '' }] = content as readonly { readonly text: string }[]
    expect([tool, faultsIn(text)]).toEqual([tool, []])
    expect(text).not.toBe('')
  }
  const { resources } = await client.listResources()
  expect(resources).toHaveLength(6)
  for (const { uri, name: place, title = '' } of resources) {
    const { contents } = await client.readResource({ uri })
    const text = contents.map((each) => ('text' in each ? each.text : '')).join('\n')
    expect(faultsIn(`${place}\n${title}\n${text}`)).toEqual([])
  }
})
