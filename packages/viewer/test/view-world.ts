/** A page over a workspace of its own, and requests as nobody's browser would send them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openWorkspace, type Workspace } from '@agentm/workspace'
import { serveView, type ViewServing } from '../src/index.ts'

export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

export interface Sent {
  readonly method?: string
  readonly target?: string
  /** Beside `Host` and the cookie. `undefined` leaves one of those out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: string
}

export interface ViewWorldOptions {
  readonly write?: boolean
  /** Whose page it is, if it is not ada's. */
  readonly owner?: string
  readonly settings?: Readonly<Record<string, unknown>>
}

export class ViewWorld {
  readonly home: string
  readonly serving: ViewServing
  readonly token: string

  constructor(home: string, serving: ViewServing) {
    this.home = home
    this.serving = serving
    this.token = new URL(serving.url).searchParams.get('token') ?? ''
  }

  /** For one test, after which it is gone. */
  static async make(options: ViewWorldOptions = {}): Promise<ViewWorld> {
    const world = await ViewWorld.open(options)
    onTestFinished(() => world.remove())
    return world
  }

  static async open({ write = false, owner, settings = {} }: ViewWorldOptions = {}): Promise<ViewWorld> {
    const home = await mkdtemp(path.join(tmpdir(), 'agentm-view-'))
    const place = { home, settings: { owner: 'ada', ...settings } }
    const serving = await serveView({ place, write, ...(owner !== undefined && { owner }) })
    return new ViewWorld(home, serving)
  }

  async remove(): Promise<void> {
    await this.serving.close()
    await rm(this.home, { recursive: true, force: true })
  }

  /** The same workspace, to write plans with. */
  async workspace(): Promise<Workspace> {
    const workspace = await this.openWorkspace()
    onTestFinished(() => workspace.close())
    return workspace
  }

  async openWorkspace(): Promise<Workspace> {
    return openWorkspace({ home: this.home, settings: { owner: 'ada' } })
  }

  get host(): string {
    return `127.0.0.1:${this.serving.port}`
  }

  get cookie(): string {
    return `agentm_view_${this.serving.port}=${this.token}`
  }

  /** The headers with which the page itself sends a change. */
  get fromPage(): Readonly<Record<string, string>> {
    return { Origin: `http://${this.host}`, 'X-Agentm-View': '1', 'Content-Type': 'application/json' }
  }

  async get(target: string): Promise<Answer> {
    return this.send({ target })
  }

  async json<T>(target: string): Promise<T> {
    const { status, body } = await this.get(target)
    if (status !== 200) throw new Error(`${target} answered ${status}: ${body}`)
    return JSON.parse(body) as T
  }

  async change(change: object, room = 'plans'): Promise<Answer> {
    return this.send({
      method: 'POST',
      target: `/api/change/${room}`,
      headers: this.fromPage,
      body: JSON.stringify(change),
    })
  }

  /** A request as a browser with the cookie sends it, changed as the test wants. */
  async send({ method = 'GET', target = '/plans', headers = {}, body }: Sent): Promise<Answer> {
    const all: Record<string, string | readonly string[] | undefined> = {
      Host: this.host,
      Cookie: this.cookie,
      ...headers,
    }
    if (body !== undefined && all['Content-Length'] === undefined && all['Transfer-Encoding'] === undefined)
      all['Content-Length'] = `${Buffer.byteLength(body)}`
    const lines = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}`),
    )
    return this.raw(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body ?? ''}`)
  }

  /** Bytes over a socket, and what comes back until the server closes it. */
  async raw(bytes: string): Promise<Answer> {
    const text = await new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = []
      const socket = connect(this.serving.port, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => chunks.push(chunk))
      const end = () => resolve(Buffer.concat(chunks).toString('utf8'))
      socket.on('close', end)
      // A server that drops the connection has refused it.
      socket.on('error', (error: NodeJS.ErrnoException) => (isDropped(error) ? end() : reject(error)))
    })
    const [head = '', ...rest] = text.split('\r\n\r\n')
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') }
  }
}

function isDropped({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}
