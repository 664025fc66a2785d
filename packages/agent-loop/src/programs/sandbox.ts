/**
 * Runs programs with bubblewrap (`bwrap`): they write only where they may, see nothing of the home directory except what they need,
 * have their own /tmp, and reach no network unless that is allowed.
 */
import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { Runtime } from '../runtime.ts'
import { childEnvironment } from './pure/child-environment.ts'
import { bubblewrapArgs } from './pure/bubblewrap-args.ts'
import { runProgram } from './run-program.ts'
import type { StartedProgram } from './start-program.ts'
import { whyNotStarted } from './why-not-started.ts'

/** What programs in a sandbox may do, whatever the step. */
export interface SandboxPolicy {
  readonly network: boolean
  /** Directories that are hidden, with everything in them: those of users. */
  readonly hidden: readonly string[]
  /** Places inside hidden directories that can be read. */
  readonly readable: readonly string[]
}

/** What one program may reach in addition. */
export interface SandboxPlaces {
  readonly writable: readonly string[]
  readonly readable: readonly string[]
}

/** Gives the program that runs another one in a sandbox. */
export type Sandbox = <P extends StartedProgram>(program: P) => Promise<P>

export function sandboxOf(policy: SandboxPolicy, places: SandboxPlaces): Sandbox {
  return async (program) => {
    const { command, args, interpret = false, environment, directory } = program
    const asked = [...policy.readable, ...placesOfPrograms(environment['PATH'] ?? ''), ...places.readable]
    const readable = await existing(asked.filter((place) => isHidden(place, policy.hidden)))
    const inner = interpret ? ['/bin/sh', '-c', command] : [command, ...args]
    const outer = bubblewrapArgs({
      ...policy,
      writable: places.writable,
      readable,
      // Name servers are often listed in a file there.
      resolver: policy.network ? await existing(['/run/systemd/resolve']) : [],
      directory: directory ?? process.cwd(),
    })
    return { ...program, command: 'bwrap', args: [...outer, '--', ...inner], interpret: false }
  }
}

/** Whether programs can be run in a sandbox here, and if not, why. */
export async function probeSandbox(
  runtime: Pick<Runtime, 'spawn' | 'sleep'>,
): Promise<{ readonly works: true } | { readonly works: false; readonly why: string }> {
  const args = bubblewrapArgs({ network: false, hidden: [], readable: [], writable: [], resolver: [], directory: '/' })
  const program = { command: 'bwrap', args: [...args, '--', 'true'], environment: childEnvironment(process.env) }
  const rest = { directory: '/', stdin: undefined, maxOutputBytes: 4096 }
  const { ended, stderr } = await runProgram({ ...program, ...rest }, { signal: new AbortController().signal, runtime })
  if ('error' in ended)
    return { works: false, why: whyNotStarted('bwrap', { error: ended.error, directory: undefined }) }
  if ('code' in ended && ended.code === 0) return { works: true }
  return { works: false, why: stderr.lastLine === '' ? 'bwrap ended without saying why' : stderr.lastLine }
}

/** Programs may be installed in the home directory, with what belongs to them beside their directory. */
function placesOfPrograms(variable: string): readonly string[] {
  const places = variable.split(path.delimiter).filter((place) => path.isAbsolute(place))
  return places.flatMap((place) => (path.basename(place) === 'bin' ? [place, path.join(place, '..', 'lib')] : [place]))
}

function isHidden(place: string, hidden: readonly string[]): boolean {
  const all = [...hidden, '/tmp', '/var/tmp', '/run']
  return all.some((directory) => place !== directory && !path.relative(directory, place).startsWith('..'))
}

async function existing(places: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [...new Set(places)].map(async (place) => [place, await lstat(place).catch(() => undefined)] as const),
  )
  return found.flatMap(([place, is]) => (is === undefined ? [] : [place]))
}
