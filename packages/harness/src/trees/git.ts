/**
 * Calls git as a program. Every call has the same environment: no questions, no pager, no hooks and no other programs of the user's
 * configuration, English messages, and agentm as the author. Git ends with this process, also if that is killed.
 */
import { systemRuntime } from '@agentm/agent-loop'
import { childEnvironment, runProgram, whyNotStarted } from '@agentm/agent-loop/internal'
import { TreesError } from './tree-errors.ts'

export interface GitCall {
  /** The directory it runs in. */
  readonly at: string
  readonly gitDir?: string
  readonly workTree?: string
  /** Another index file than that of the repository. */
  readonly index?: string
  readonly stdin?: string
  /** The date of commits (default: now). A fixed date gives the same commit again. */
  readonly date?: string
  /** Exit codes that are an answer (default: 0). */
  readonly ok?: readonly number[]
}

export interface GitEnd {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The output was longer than what is kept. */
  readonly cut: boolean
}

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
  'diff.external=',
  // A repository inside a tree could name programs in its own configuration.
  'diff.ignoreSubmodules=dirty',
].flatMap((setting) => ['-c', setting])

const who = { NAME: 'agentm', EMAIL: 'agentm@localhost' }
const maxOutputBytes = 16 * 1024 * 1024

export async function git(args: readonly string[], call: GitCall): Promise<GitEnd> {
  const program = {
    command: 'git',
    args: ['--no-pager', ...settings, ...args],
    environment: environmentOf(call),
    directory: call.at,
    stdin: call.stdin,
    maxOutputBytes,
  }
  const { ended, stdout, stderr } = await runProgram(program, { signal: never, runtime: systemRuntime })
  if ('error' in ended)
    throw new TreesError(
      `${whyNotStarted('git', { error: ended.error, directory: call.at })}. Work is kept apart with git 2.38 or newer: install it, or use trees: none.`,
    )
  const code = 'code' in ended ? ended.code : -1
  const end = { code, out: stdout.text, err: stderr.text.trim(), cut: stdout.cut }
  if ((call.ok ?? [0]).includes(code)) return end
  throw new TreesError(`git ${args[0] ?? ''} failed in ${call.at}: ${end.err === '' ? `exit code ${code}` : end.err}`)
}

const never = new AbortController().signal

function environmentOf({ gitDir, workTree, index, date }: GitCall): Record<string, string> {
  return {
    ...childEnvironment(process.env),
    ...childEnvironment(process.env, ['XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM']),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
    ...(gitDir !== undefined && { GIT_DIR: gitDir }),
    ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
    ...(date !== undefined && { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  }
}

/** The parts of an answer that are separated by NUL bytes. */
export function parts(out: string): readonly string[] {
  return out.split('\0').filter((part) => part !== '')
}
