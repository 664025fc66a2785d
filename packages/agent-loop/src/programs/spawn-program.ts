/**
 * Starts a program by its name. On Windows the name may be that of a script (`npm` for `npm.cmd`), and the system would first
 * search the working directory, which may contain a malicious file. So only the PATH is searched.
 */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import crossSpawn from 'cross-spawn'

export function spawnProgram(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  if (process.platform !== 'win32' || options.shell === true) return spawn(command, [...args], options)
  const file = programFile(command, options)
  return existsSync(file) ? crossSpawn(file, [...args], options) : spawn(file, [...args], options)
}

/**
 * The file to start for a name. On Windows it is always a full path, even if the file does not exist, because a bare name would be
 * searched for again.
 */
export function programFile(command: string, options: Pick<SpawnOptions, 'cwd' | 'env'>): string {
  if (process.platform !== 'win32') return command
  const places = placesOf(command, options)
  return findProgram(command, places, options) ?? path.join(places[0] ?? tmpdir(), command)
}

function placesOf(
  command: string,
  { cwd = process.cwd(), env = process.env }: Pick<SpawnOptions, 'cwd' | 'env'>,
): readonly string[] {
  if (/[\\/]/.test(command)) return [path.resolve(cwd.toString())]
  return variable(env, 'PATH')
    .split(';')
    .filter((place) => path.isAbsolute(place))
}

function findProgram(
  command: string,
  places: readonly string[],
  { env = process.env }: Pick<SpawnOptions, 'env'>,
): string | undefined {
  const endings = (variable(env, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';')
  const isWhole = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()))
  const names = [...(isWhole ? [command] : []), ...endings.map((ending) => command + ending)]
  return places.flatMap((place) => names.map((name) => path.resolve(place, name))).find((file) => existsSync(file))
}

/** Windows treats `Path` and `PATH` as equal; a plain object does not. */
function variable(env: NodeJS.ProcessEnv, name: string): string {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? ''
}
