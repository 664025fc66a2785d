/** A working folder of its own, and a way to call a tool as the loop does. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { EarlierAnswer, Tool, ToolAnswer } from '../../src/index.ts'

export async function emptyFolder(): Promise<{ readonly root: string; close(): Promise<void> }> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-tools-')))
  return { root, close: async () => rm(root, { recursive: true, force: true }) }
}

export async function callTool(
  tools: readonly Tool[],
  name: string,
  args: unknown,
  signal = new AbortController().signal,
): Promise<Exclude<ToolAnswer, string>> {
  const tool = toolNamed(tools, name)
  const answer = await tool.run(tool.parse(args), { signal, key: 'key-1', attempt: 1 })
  return typeof answer === 'string' ? { text: answer } : answer
}

/** Calls tools one after the other, as one conversation: each sees what the ones before it answered. */
export function conversation(tools: readonly Tool[]) {
  const earlier: EarlierAnswer[] = []
  return async (name: string, args: unknown): Promise<string> => {
    const tool = toolNamed(tools, name)
    const signal = new AbortController().signal
    const answer = await tool.run(tool.parse(args), { signal, key: 'key-1', attempt: 1, earlier: [...earlier] })
    const text = typeof answer === 'string' ? answer : answer.text
    earlier.push({ tool: name, text })
    return text
  }
}

export function toolNamed(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) throw new TypeError(`there is no ${name} among ${tools.map((each) => each.name).join(', ')}`)
  return tool
}
