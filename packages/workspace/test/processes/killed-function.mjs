/**
 * A durable function that asks for more than sixty things of every kind. Each step that has an effect appends its name to a file, so that
 * a test can count what happened, whichever process did it. `killHere` is called inside steps, after the effect.
 */
import { durable } from '@agentm/harness'
import { appendFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** What the function returns, wherever its workers were killed. */
export const expectedResult = {
  plain: 153,
  mapped: [0, 1, 4, 9, 16, 25, 36, 49, 64, 81],
  signals: ['first', 'second', 'third'],
  answers: ['yes', 'no'],
  sums: [11, 12],
  fastest: 'nap',
  outran: 'quick',
  booked: 'booking failed: car failed: none left',
  flaky: 'third time',
  sameId: true,
  isPatched: true,
  isLong: true,
}

/** The effectful steps that a person is asked about when their worker is gone. */
export const paid = [...Array(8).keys()].map((i) => `pay ${i}`).concat('pay long', 'pay told')
/** An effectful step that fails when its worker is gone, and one that runs again. */
export const [givenUp, repeated] = ['pay once or fail', 'pay again']

/** Kills come in rows without progress between them, so a run may lose many workers. */
const maxCrashes = 50
const shape = { input: z.object({}), maxCrashes }
const retry = { maxFailures: 3, baseMs: 1, capMs: 2 }

/** @param {string} directory @param {(point: string) => void} killHere */
export function killedFunctions(directory, killHere) {
  /** @param {string} name */
  const happen = (name) => {
    appendFileSync(path.join(directory, 'effects'), `${name}\n`)
    killHere(`in ${name}`)
  }
  const add = durable('add', { input: z.object({ n: z.number() }), maxCrashes }, async (run, { n }) => {
    await run.sleep(5)
    return run.step(`add ${n}`, () => n + 10)
  })
  const booking = durable('booking', shape, async (run) => {
    for (const name of ['flight', 'hotel'])
      await run.step(name, () => happen(`book ${name}`), { undo: () => happen(`undo ${name}`), retry })
    await run.step('car', () => Promise.reject(Object.assign(new Error('none left'), { retryable: false })))
  })
  const long = durable('long', shape, async (run) => {
    const id = run.newId()
    let plain = 0
    for (let i = 0; i < 18; i++) plain += await run.step(`plain ${i}`, () => (happen(`plain ${i}`), i))
    for (const name of paid.slice(0, 8)) await run.step(name, () => happen(name), { nature: 'effectful' })
    await run.step(givenUp, () => happen(givenUp), { nature: 'effectful', onUnknown: 'fail' }).catch(() => undefined)
    await run.step(repeated, () => happen(repeated), { nature: 'effectful', onUnknown: 'retry' })
    const items = [...Array(10).keys()]
    const mapped = await run.map('square', items, (n) => (n % 4 === 0 ? happen(`square ${n}`) : undefined, n * n), {
      concurrency: 3,
    })
    await run.show('progress', 'half')
    await run.emit({ percent: 50 })
    const isPatched = await run.patched('newer')
    for (let i = 0; i < 3; i++) await run.sleep(10)
    const signals = []
    for (let i = 0; i < 3; i++) signals.push(await run.signal('say'))
    const answers = [
      await run.ask('Go on?', { options: ['yes', 'no'] }),
      await run.ask('Stop?', { options: ['yes', 'no'] }),
    ]
    const sums = await Promise.all([run.call(add, { n: 1 }), run.call(add, { n: 2 })])
    const { winner: fastest } = await run.race({ never: run.signal('never'), nap: run.sleep(10) })
    const { winner: outran } = await run.race({ quick: run.step('quick', () => 'ok'), late: run.sleep('1 hour') })
    const booked = await run.call(booking, {}).catch((/** @type {Error} */ error) => error.message)
    const flaky = await run.step(
      'flaky',
      ({ attempt }) => (attempt < 2 ? Promise.reject(new Error('busy')) : 'third time'),
      { retry },
    )
    await run.step('pay long', async () => (await sleep(1100), happen('pay long')), { nature: 'effectful' })
    await run.step(
      'pay told',
      async ({ beat }) => {
        beat({ half: true })
        await sleep(20)
        happen('pay told')
      },
      { nature: 'effectful' },
    )
    const sameId = (await run.step('id', () => id)) === id
    await Promise.all(['a', 'b', 'c'].map((name) => run.step(`beside ${name}`, () => name)))
    await run.emit({ percent: 100 })
    return {
      plain,
      mapped,
      signals,
      answers,
      sums,
      fastest,
      outran,
      booked: booked,
      flaky,
      sameId,
      isPatched,
      isLong: run.now() > 0,
    }
  })
  const asking = durable('asking', shape, async (run) => {
    const said = run.ask('Ship it?', { options: ['yes', 'no'] }).then(async (answer) => {
      await run.step('ship', () => happen('ship'), { nature: 'effectful' })
      return answer
    })
    const built = run.step('build', async ({ signal }) => {
      while (!existsSync(path.join(directory, 'built'))) await sleep(20, undefined, { signal })
      return 'built'
    })
    return Promise.all([said, built])
  })
  return { long, add, booking, asking }
}
