/** The page of plans, notes and beliefs in a browser. Runs until it is stopped. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { serveView } from '@agentm/viewer'
import { type Call, type Command, UsageError } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import { commandWord } from '../typed.ts'

export const view: Command = {
  summary: 'show plans, notes and beliefs in a browser',
  details:
    'Listens on 127.0.0.1 only. The address carries a random token: whoever opens it may use the page. Without --write the page only reads. ' +
    'On a terminal, the browser is opened. Press Ctrl-C to stop it.',
  options: {
    port: { value: 'NUMBER', help: 'the port (default: a free one)' },
    write: { help: 'allow the page to change plans, notes and beliefs' },
    owner: { value: 'NAME', help: 'whose plans, notes and sessions (default: your own)' },
    'no-open': { help: 'print the address, and open no browser' },
    cwd: { value: 'DIR', help: 'the checkout to look from (default: this directory)' },
  },
  async run(call) {
    const port = portOf(call)
    const end = endSignal()
    const place = path.resolve(call.cwd, call.get('cwd') ?? '.')
    const owner = call.get('owner')
    const serving = await serveView({
      place,
      port,
      write: call.has('write'),
      command: commandWord(),
      ownProcess: true,
      ...(owner !== undefined && { owner }),
    })
    call.terminal.err(`The page is at ${serving.url}\nPress Ctrl-C to stop it.\n`)
    if (call.terminal.isInteractive && !call.json && !call.has('no-open')) openBrowser(serving.url)
    await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }))
    await serving.close()
    return { text: '', data: { port: serving.port } }
  },
}

function portOf({ get }: Call): number {
  const given = get('port') ?? '0'
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw new UsageError(
      `--port is ${JSON.stringify(given)}, which is not a port number. Use a number from 0 to 65535.`,
    )
  return Number(given)
}

/** Without a browser to open, the address that was printed is enough. */
function openBrowser(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const opener = spawn(program ?? '', [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
