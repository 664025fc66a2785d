/** Keeps what coding agents did in their sessions on this machine: once, while it runs, or as the short process that a hook starts. */
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { oneLine } from '@agentm/memory/shown'
import type { Capture, SessionCaptureReport, SessionCaptureRequest } from '@agentm/workspace'
import { settings } from '@agentm/settings'
import { type TranscriptHost, transcriptHosts as hosts } from '@agentm/transcripts'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import { logOption, tell } from '../log-terminal.ts'
import { typed } from '../typed.ts'

// What a hook starts has to end, whatever happens to it.
const backgroundMs = 40_000
const hardLimitMs = 50_000
const everyMs = 2000
const lowPriority = 10

export const captureSessions: Command = {
  summary: 'keep what coding agents did in their sessions on this machine',
  details:
    'Reads the session files that Claude Code, Codex, Gemini CLI and opencode write anyway, and keeps a short record of each turn: what was ' +
    'asked, what was done, commands, files, failures and their fixes, decisions. Secrets are replaced before anything is stored. No model is ' +
    'asked. It reads only what is new, so you can run it as often as you like. Hooks run it when a session ends: agentm init --host NAME. ' +
    'Sessions of other agents can be written as plain JSONL into capture.plain. A directory with a file named .agentm-private, or below one of capture.exclude, is left out.',
  options: {
    host: {
      value: 'HOST',
      help: `only sessions of this agent: ${hosts.join(', ')}; may be given several times`,
      repeats: true,
    },
    follow: { help: 'go on until stopped' },
    log: logOption,
    again: { help: 'read every session file again, also those that did not change' },
    ended: { value: 'SESSION', help: 'the id of a session that has just ended', repeats: true },
    private: { value: 'SESSION', help: 'the id of a session of --host that is never captured', repeats: true },
    background: {
      help: 'what hooks use: low priority, ends within a minute, does nothing if capture.enabled is false',
    },
  },
  run: async (call) => {
    const request = requestOf(call)
    const kept = privateIn(call)
    if (call.has('background')) return inBackground(call, request, kept)
    const workspace = await call.workspace()
    const capture = await workspace.capture()
    await keepPrivate(kept, capture)
    if (call.has('follow')) return follow(call, capture, request)
    const report = await capture.run({ ...request, signal: endSignal() })
    return answerOf(report)
  },
}

function requestOf(call: Call): SessionCaptureRequest {
  const given = call.all('host')
  const odd = given.find((name) => !hosts.some((host) => host === name))
  if (odd !== undefined) throw new UsageError(`--host does not accept ${JSON.stringify(odd)}. Use ${hosts.join(', ')}.`)
  return {
    ...(given.length === 0 ? {} : { hosts: hosts.filter((host) => given.includes(host)) }),
    ...(call.has('again') ? { again: true } : {}),
    ended: call.all('ended'),
  }
}

async function keepPrivate({ sessions, host }: PrivateSessions, capture: Capture): Promise<void> {
  if (host === undefined) return
  for (const session of sessions) await capture.keepPrivate(host, session)
}

interface PrivateSessions {
  readonly sessions: readonly string[]
  /** Absent if no session was named. */
  readonly host: TranscriptHost | undefined
}

/** Checked before anything is opened. */
function privateIn(call: Call): PrivateSessions {
  const sessions = call.all('private')
  const [host, another] = hosts.filter((each) => call.all('host').includes(each))
  if (sessions.length > 0 && (host === undefined || another !== undefined))
    throw new UsageError('--private needs one --host, because an id of a session belongs to one agent.')
  return { sessions, host: sessions.length === 0 ? undefined : host }
}

/** Prints nothing, because nobody reads it. What fails now is done by the next capture. */
async function inBackground(call: Call, request: SessionCaptureRequest, kept: PrivateSessions): Promise<Answer> {
  const limit = setTimeout(() => process.exit(1), hardLimitMs)
  limit.unref()
  try {
    setPriority(lowPriority)
  } catch {
    // It is only slower for others then.
  }
  const workspace = await call.workspace()
  const isOn = (await workspace.settings())['capture.enabled'] ?? settings['capture.enabled'].default
  const capture = await workspace.capture()
  await keepPrivate(kept, capture)
  if (!isOn) return { text: '', data: { outcome: 'off' } }
  const signal = AbortSignal.timeout(backgroundMs)
  const report = await capture.run({ ...request, signal })
  return { text: '', data: report }
}

async function follow(call: Call, capture: Capture, request: SessionCaptureRequest): Promise<Answer> {
  const signal = endSignal()
  const say = (message: string) => tell(call.terminal, { event: 'note', message })
  say(`Capturing sessions. Press Ctrl-C to stop.`)
  let written = 0
  while (!signal.aborted) {
    const report = await capture.run({
      ...request,
      learn: false,
      signal,
      onSession: (session) => {
        if (session.written > 0) say(`${session.host} ${oneLine(session.source)}: ${turns(session.written)}`)
      },
    })
    written += report.written
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
  return { text: `Stopped. ${turns(written)} kept.`, data: { written } }
}

function answerOf(report: SessionCaptureReport): Answer {
  const { outcome, sessions, written, known, unknown, failed } = report
  if (outcome === 'busy')
    return {
      text: 'Another process captures sessions now. It will read what is new.',
      data: report,
    }
  const counts = [
    `${sessions} ${sessions === 1 ? 'session' : 'sessions'} read`,
    `${turns(written)} kept`,
    ...(known === 0 ? [] : [`${turns(known)} known already`]),
    ...(report.private === 0 ? [] : [`${turns(report.private)} private and left out`]),
  ]
  const notices = [
    ...(unknown === 0
      ? []
      : [`${unknown} records of a kind that this version does not know were counted and left out`]),
    ...failed.map(({ host, source, why }) => `${host} ${oneLine(source)} was not read: ${oneLine(why)}`),
    ...learnedNotices(report),
  ]
  return {
    text: sessions === 0 ? 'No session has changed since the last capture.' : `${counts.join(', ')}.`,
    data: report,
    notices,
    exit: failed.length > 0 ? 1 : 0,
  }
}

function learnedNotices({ lessons, unlearned }: SessionCaptureReport): readonly string[] {
  if (unlearned !== undefined) return [`nothing was learned from these turns now: ${oneLine(unlearned)}`]
  const learned =
    lessons?.lessons.filter(({ outcome }) => outcome === 'created' || outcome === 'superseded').length ?? 0
  if (learned === 0) return []
  const what = learned === 1 ? '1 statement was' : `${learned} statements were`
  return [typed(`${what} learned from them. To decide which are true: agentm learned`)]
}

function turns(count: number): string {
  return `${count} ${count === 1 ? 'turn' : 'turns'}`
}
