import { z } from 'zod'
import type { Sandbox } from '../../programs/sandbox.ts'
import type { Runtime } from '../../runtime.ts'

/** Which programs the shell tool may run, and which environment variables they see. */
export interface ShellPolicy {
  /** Programs, such as `node`, or with their first arguments, such as `git status`; `*` for all. */
  readonly allow: readonly string[]
  /** Whether a command line may be passed to the shell. The list of programs then limits nothing. */
  readonly interpret?: boolean
  /** Environment variables that a program sees in addition to the usual ones. */
  readonly variables?: readonly string[]
  /** Timeout of a program (default: 2 minutes). */
  readonly timeoutMs?: number
  /** The most bytes of each stream that are kept, counted from the end (default: 32 KiB). */
  readonly maxOutputBytes?: number
  readonly needsApproval?: boolean
}

/** Options of `shellTool`. */
export interface ShellToolOptions {
  /** The working folder. */
  readonly root: string
  readonly policy: ShellPolicy
  readonly runtime: Pick<Runtime, 'spawn' | 'sleep'>
  /** The environment from which allowed variables are taken (default: that of this process). */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names of variables that hold keys, and are never passed on. */
  readonly secrets?: readonly string[]
  /** Runs the programs in a sandbox (default: without one). */
  readonly sandbox?: Sandbox
}

/** The shell of this machine, which interprets a line if the policy allows it. */
export const shell = process.platform === 'win32' ? 'cmd.exe' : '/bin/sh'

export const programInput = z.object({
  program: z.string().min(1).describe('The program, without arguments.'),
  args: z.array(z.string()).default([]),
  directory: z.string().default('.').describe('Where it runs, below the working folder.'),
  stdin: z.string().optional().describe('Text for its standard input.'),
})

export const lineInput = programInput.omit({ program: true, args: true }).extend({
  line: z.string().min(1).describe(`A line for ${shell}.`),
})
