/** What a host says to a hook on standard input, in one shape. Fields that are absent or of another type are `undefined`. */
import type { HookHost } from './hook-events.ts'

export interface HookInput {
  readonly session: string | undefined
  /** The directory that the agent works in. */
  readonly cwd: string | undefined
  /** What the person typed, without what an earlier hook added to it. Empty at moments that have no prompt. */
  readonly prompt: string
  /** Why the session starts: `startup`, `resume`, `clear`, or `compact` after the context was shortened. */
  readonly source: string | undefined
  /** Where the host writes the session down. opencode has no such file; Cursor has one only if transcripts are switched on. */
  readonly transcriptPath: string | undefined
  /** The same for a sub-agent that has just ended. */
  readonly agentTranscriptPath: string | undefined
}

/** Throws a `SyntaxError` for text that is not JSON. No text at all is no input: a person may call a hook by hand. */
export function hookInput(host: HookHost, text: string): HookInput {
  const fields: unknown = text.trim() === '' ? {} : JSON.parse(text)
  const said = (...names: readonly string[]) =>
    names.map((name) => textAt(fields, name)).find((one) => one !== undefined)
  const input = {
    session: said('session_id', 'conversation_id'),
    cwd: said('cwd'),
    prompt: said('prompt') ?? '',
    source: said('source'),
    transcriptPath: said('transcript_path'),
    agentTranscriptPath: said('agent_transcript_path'),
  }
  if (host === 'gemini') return { ...input, prompt: withoutContext(input.prompt) }
  if (host === 'cursor')
    return { ...input, session: said('conversation_id', 'session_id'), cwd: rootOf(fields) ?? input.cwd }
  return input
}

/** Started without a person, Gemini CLI puts the context of a session in front of the first prompt and shows the hook both. */
function withoutContext(prompt: string): string {
  return prompt.replace(/^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/, '')
}

/** Cursor names the directories of its window. The first one is the project whose hooks it runs. */
function rootOf(fields: unknown): string | undefined {
  const roots = fieldOf(fields, 'workspace_roots')
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined
  return typeof first === 'string' && first !== '' ? first : undefined
}

function textAt(fields: unknown, name: string): string | undefined {
  const value = fieldOf(fields, name)
  return typeof value === 'string' ? value : undefined
}

function fieldOf(fields: unknown, name: string): unknown {
  return typeof fields === 'object' && fields !== null ? (fields as Readonly<Record<string, unknown>>)[name] : undefined
}
