// @ts-check
/**
 * Counts what ran: one plain line, `N passed, N failed, N skipped`, and each skipped test with the reason it gave. With
 * `AGENTM_TALLY` set, the counts also go into that file, for tools/tiers.mjs to repeat at the end of everything.
 */
import { writeFileSync } from 'node:fs'
import { printFaults, printSkipped, printTally } from './tally.mjs'

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('vitest/node').TestCase} TestCase */

export default class TallyReporter {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly unknown[]} strays errors outside every test
   */
  onTestRunEnd(modules, strays) {
    const tally = tallyOf(modules, strays)
    if (process.env['AGENTM_TALLY']) writeFileSync(process.env['AGENTM_TALLY'], JSON.stringify(tally))
    else {
      printSkipped(tally)
      printFaults(tally)
    }
    printTally(tally)
  }
}

/**
 * @param {readonly TestModule[]} modules
 * @param {readonly unknown[]} strays
 * @returns {import('./tally.mjs').Tally}
 */
function tallyOf(modules, strays) {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const states = tests.map((test) => test.result().state)
  // A file that fails outside its tests (it cannot be imported, a hook throws) counts as one failure.
  const unloadable = modules.filter((module) => errorsOutside(module).length > 0)
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: states.filter((state) => state === 'failed').length + unloadable.length + strays.length,
    skipped: tests.filter((test) => isSkipped(test)).map((test) => ({ what: named(test), why: whyOf(test) })),
    broken: [
      ...tests.filter((test) => test.result().state === 'failed').map((test) => faultOf(named(test), errorsOf(test))),
      ...unloadable.map((module) => faultOf(module.relativeModuleId, errorsOutside(module))),
      ...strays.map((stray) => faultOf('outside every test', [stray])),
    ],
    shaky: tests.filter((test) => test.diagnostic()?.flaky).map((test) => faultOf(named(test), errorsOf(test))),
  }
}

/** @param {TestModule} module */
function errorsOutside(module) {
  return [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
}

/** @param {TestCase} test those of a try that failed, also where a later one passed */
function errorsOf(test) {
  return test.result().errors ?? []
}

/** @param {string} what @param {readonly unknown[]} errors */
function faultOf(what, errors) {
  const [first] = /** @type {readonly { readonly message?: string }[]} */ (errors)
  const message = first?.message ?? 'no error given'
  return { what, why: message.split('\n').slice(0, 3).join(' ').slice(0, 600) }
}

/** @param {TestCase} test a pending one was never reached, which is not the same as fine */
function isSkipped(test) {
  return ['skipped', 'pending'].includes(test.result().state)
}

/** @param {TestCase} test */
function named(test) {
  return `${test.module.relativeModuleId}: ${test.fullName}`
}

/** @param {TestCase} test `context.skip('why')` says why; otherwise the name of what was skipped must */
function whyOf(test) {
  const result = test.result()
  if (result.state === 'skipped' && result.note) return result.note
  /** @type {TestCase | import('vitest/node').TestSuite} */
  let outermost = test
  while (outermost.parent.type === 'suite') outermost = outermost.parent
  return `${test.module.relativeModuleId}: ${outermost.name}`
}
