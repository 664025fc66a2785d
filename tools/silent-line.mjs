// @ts-check
/**
 * A line over the loopback network that goes silent: connections stay open, what is sent into them is taken, and nothing
 * comes out on the other side. That is what a crashed host, a dropped firewall rule or a forgetful router looks like.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import path from 'node:path'

/**
 * @typedef {object} SilentLine
 * @property {string} url
 * @property {() => void} goSilent every connection there is, and every new one, falls silent
 * @property {() => void} heal new connections work again; those that fell silent stay so
 * @property {(words: string, when: 'before' | 'after') => Promise<void>} goSilentAt the next connection that sends these
 *   words falls silent: before the server hears them, or before its answer comes back
 * @property {() => void} stop
 */

/**
 * To a server, or a pooler, that listens on a socket in `home`.
 * @param {{ readonly home: string, readonly port: number }} place
 * @returns {Promise<SilentLine>}
 */
export async function silentLine({ home, port }) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  /** @type {Set<() => void>} */
  const silences = new Set()
  /** @type {{ words: string, when: 'before' | 'after', done: () => void } | undefined} */
  let trap
  let isSilent = false
  const proxy = createServer((client) => {
    const upstream = connect(path.join(home, `.s.PGSQL.${port}`))
    const flows = { there: !isSilent, back: !isSilent }
    silences.add(() => {
      flows.there = flows.back = false
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.on('data', (sent) => {
      if (trap !== undefined && sent.includes(trap.words)) {
        flows.there &&= trap.when === 'after'
        flows.back = false
        trap.done()
        trap = undefined
      }
      if (flows.there) upstream.write(sent)
    })
    upstream.on('data', (answer) => {
      if (flows.back) client.write(answer)
    })
    // The end of one side reaches the other over a line that works, and over no other.
    client.on('close', () => flows.there && upstream.destroy())
    upstream.on('close', () => flows.back && client.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('a listening proxy has a port')
  return {
    url: `postgres://tester@127.0.0.1:${address.port}/postgres`,
    goSilent() {
      isSilent = true
      for (const silence of silences) silence()
    },
    heal() {
      isSilent = false
    },
    goSilentAt: async (words, when) =>
      new Promise((done) => {
        trap = { words, when, done: () => done(undefined) }
      }),
    stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
