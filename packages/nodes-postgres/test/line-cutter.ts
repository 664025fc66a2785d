/**
 * Stands between a store and its server and cuts the line at the worst moment: before what is written reaches the server,
 * or after the server has done it and before the store hears so.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { OwnPostgres } from '../../../tools/postgres-server.mjs'

export interface LineCutter {
  readonly url: string
  /** The next message that holds these words is the last on its line. Answers when the line is cut. */
  cut(words: string, when: 'before' | 'after'): Promise<void>
}

interface Plan {
  readonly words: string
  readonly when: 'before' | 'after'
  readonly done: () => void
}

export async function lineCutter(server: OwnPostgres): Promise<LineCutter> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'agentm-cut-'))
  const sockets = new Set<Socket>()
  let plan: Plan | undefined
  const proxy = createServer((client) => {
    const upstream = connect(path.join(server.home, `.s.PGSQL.${server.port}`))
    let cutting: Plan | undefined
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    const fall = ({ done }: Plan) => {
      end()
      done()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    client.on('data', (sent) => {
      if (plan !== undefined && sent.includes(plan.words)) [cutting, plan] = [plan, undefined]
      if (cutting?.when === 'before') fall(cutting)
      else upstream.write(sent)
    })
    upstream.on('data', (answer) => {
      if (cutting === undefined) client.write(answer)
      // The server says that it is ready again after the commit; nothing of that gets through.
      else if (answer.at(-6) === readyForQuery) fall(cutting)
    })
  })
  const port = server.port
  proxy.listen(path.join(home, `.s.PGSQL.${port}`))
  await once(proxy, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await rm(home, { recursive: true, force: true })
  })
  return {
    url: `postgres://tester@localhost/postgres?host=${encodeURIComponent(home)}&port=${port}`,
    cut: async (words, when) =>
      new Promise((done) => {
        plan = { words, when, done }
      }),
  }
}

const readyForQuery = 'Z'.charCodeAt(0)
