// @ts-check
/** A program on all engines of a store, in turns. */
import { compare, interleave } from '../frame.mjs'
import {
  dbosOnPostgres,
  openWorkflowOnPostgres,
  openWorkflowOnSqlite,
  oursOnPostgres,
  oursOnSqlite,
} from './engines.mjs'
import { postgresFloor, sqliteFloor } from './floor.mjs'
import { linesOf } from './lines.mjs'

/** @typedef {'sqlite' | 'postgres'} StoreName */
/** @typedef {import('../harness/stores.mjs').Level} Level */

/**
 * Durable steps a second.
 * @param {import('./programs.mjs').Program} program
 * @param {{ readonly store: StoreName, readonly level: Level }} where
 * @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function speedOf(program, { store, level }) {
  return async ({ repeats, scale, scratch }) => {
    const rounds = Math.max(3, Math.round(repeats / 3))
    const engines = store === 'sqlite' ? await onSqlite(scratch, level) : await onPostgres(level)
    const floor = store === 'sqlite' ? await sqliteFloor(scratch, level) : await postgresFloor(level)
    const steps = program.steps(scale)
    const counts = { doubles: 0, wrong: 0 }
    let round = 0
    const contenders = {
      ...mapped(engines, (engine) => async () => {
        const { ms, doubles, wrong } = await program.run(engine, { name: `${program.file}-${(round += 1)}`, scale })
        counts.doubles += doubles
        counts.wrong += wrong
        return (steps / ms) * 1000
      }),
      async floor() {
        const began = performance.now()
        await floor.insert(steps)
        return (steps / (performance.now() - began)) * 1000
      },
    }
    try {
      // So that compiling the code does not count as a cost of a step.
      for (const run of Object.values(contenders)) await run()
      const figures = await interleave(contenders, rounds)
      const notes = [
        ...Object.values(engines).map(({ says }) => says),
        `${store === 'sqlite' ? 'one file each' : 'one server, over the loopback network'}; ${steps} steps a round; the floor inserts one row a step`,
      ]
      return { ...compare(figures, 'more'), counts, notes }
    } finally {
      for (const { close } of [floor, ...Object.values(engines)]) await close()
    }
  }
}

/**
 * Lines of code.
 * @param {import('./programs.mjs').Program} program
 * @returns {() => Promise<import('../frame.mjs').Measurement>}
 */
export function linesIn({ file }) {
  return async () => ({
    ours: await linesOf('ours', file),
    peers: { dbos: await linesOf('dbos', file), openworkflow: await linesOf('openworkflow', file) },
    notes: [
      'lines of the program, its start and its approval, without blank lines and comments, laid out by the same formatter; each checks its input by a schema, which is two lines in all of them',
    ],
  })
}

/** @param {string} scratch @param {Level} level */
async function onSqlite(scratch, level) {
  return { ours: await oursOnSqlite(scratch, level), openworkflow: await openWorkflowOnSqlite(scratch, level) }
}

/** @param {Level} level */
async function onPostgres(level) {
  return {
    ours: await oursOnPostgres(level),
    dbos: await dbosOnPostgres(level),
    openworkflow: await openWorkflowOnPostgres(level),
  }
}

/** @template T, U @param {Readonly<Record<string, T>>} record @param {(value: T) => U} change @returns {Record<string, U>} */
function mapped(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
