/** Session files as Claude Code writes them, for tests that need many or certain ones. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export interface WrittenTurn {
  readonly asked: string
  readonly done?: string
  readonly commands?: readonly { readonly command: string; readonly output?: string; readonly fails?: boolean }[]
}

interface Place {
  readonly home: string
  readonly cwd: string
  readonly session: string
  /** Epoch milliseconds. */
  readonly start?: number
}

/** The records of a session, one JSON text each. */
export function claudeRecords(
  { cwd, session, start = Date.UTC(2026, 10, 2, 9) }: Place,
  turns: readonly WrittenTurn[],
): string[] {
  const records: string[] = []
  const add = (type: string, message: object, more: object = {}) => {
    const number = records.length
    records.push(
      JSON.stringify({
        parentUuid: number === 0 ? null : `${session}-${number - 1}`,
        isSidechain: false,
        userType: 'external',
        cwd,
        sessionId: session,
        version: '2.1.328',
        gitBranch: 'main',
        type,
        message,
        uuid: `${session}-${number}`,
        timestamp: new Date(start + number * 1000).toISOString(),
        ...more,
      }),
    )
  }
  const says = (content: object) =>
    add('assistant', {
      role: 'assistant',
      model: 'scripted',
      content: [content],
      usage: { input_tokens: 9, output_tokens: 3 },
    })
  for (const { asked, done = 'Done.', commands = [] } of turns) {
    add('user', { role: 'user', content: asked })
    for (const { command, output = 'ok', fails = false } of commands) {
      const id = `toolu_${session}_${records.length}`
      says({ type: 'tool_use', id, name: 'Bash', input: { command } })
      const content = fails ? `Exit code 1\n${output}` : output
      add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: fails }] })
    }
    says({ type: 'text', text: done })
  }
  return records
}

export function claudeFile({ home, cwd, session }: Place): string {
  return path.join(home, '.claude', 'projects', cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${session}.jsonl`)
}

export async function writeClaudeSession(place: Place, turns: readonly WrittenTurn[]): Promise<string> {
  const file = claudeFile(place)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `${claudeRecords(place, turns).join('\n')}\n`)
  return file
}
