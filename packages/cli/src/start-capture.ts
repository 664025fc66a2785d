/**
 * Hands the capture of sessions to a process of its own, so that the coding agent does not wait for it. The process ends by itself within
 * a minute, and at once if another one captures already.
 */
import { homedir } from 'node:os'
import type { Call } from './command.ts'

export interface HandedOver {
  readonly host: string
  /** The host's id of the session that the hook belongs to. */
  readonly session: string | undefined
  /** The session ends now. */
  readonly ends: boolean
}

/** Whether a process was started. Where agentm is a library of another program, there is no command to start. */
export async function startCapture({ env }: Pick<Call, 'env'>, { host, session, ends }: HandedOver): Promise<boolean> {
  const [, entry] = process.argv
  if (entry === undefined || !isCommand.test(entry)) return false
  const wish = env['AGENTM_CAPTURE']?.toLowerCase()
  const isPrivate = wish === 'off'
  if (wish === 'later' || (isPrivate && session === undefined)) return false
  const about =
    session === undefined
      ? []
      : [...(isPrivate ? ['--host', host, '--private', session] : []), ...(ends ? ['--ended', session] : [])]
  // Loaded only here, because most commands start no process and would wait some milliseconds for it.
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [entry, 'capture', 'sessions', '--background', ...about], {
    // A process that outlives the hook must not keep the directory of a project busy.
    cwd: homedir(),
    env,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  })
  // Without a process the next hook captures.
  child.on('error', () => {})
  child.unref()
  return true
}

const isCommand = /(?:^|[\\/])agentm(?:\.m?js)?$/
