// @ts-check
/**
 * A transcript without what differs each time: paths of the machine, ids and times. The result is the same on every machine, and
 * still reads like a transcript.
 */

/** @typedef {{ readonly home: string, readonly project: string, readonly text: string }} Played */

/** @param {Played} played @returns {string} */
export function settled({ home, project, text }) {
  const isWindows = /^[A-Za-z]:/.test(home)
  const [you, temporary] = isWindows ? ['C:\\Users\\you', 'C:\\Temp'] : ['/home/you', '/tmp']
  return (
    text
      .replaceAll('\r\n', '\n')
      .replaceAll(home, () => you)
      .replaceAll(project, () => `${you}${isWindows ? '\\' : '/'}acme`)
      // Only a reader at the right moment sees the step of the killed worker still running.
      .replaceAll(/^running {2}build, on .*\n/gm, '')
      // If the next command takes ten seconds to start, the lease of the killed worker expires before its process is missed.
      .replaceAll('the lease of its worker ran out', 'the process of its worker is gone')
      .replaceAll('failed: lease: the process', 'failed: vanished: the process')
      .replaceAll(/\S*[\\/]agentm-demo-\w+/g, () => `${temporary}${isWindows ? '\\' : '/'}agentm-demo`)
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '0c9e…')
      .replaceAll(/[0-9a-f]{64}/g, '5e1f…')
      .replaceAll(/demo-[0-9a-z]{8}\b/g, 'demo-1')
      .replaceAll(/\d{4}-\d\d-\d\d/g, '2026-01-31')
      // A note has a day and no hour, so in the evening it is a little older.
      .replaceAll(/recency 0\.99/g, 'recency 1.00')
      .replaceAll(/^\$ kill -9 \d+$/gm, '$ kill -9 4711')
      .replaceAll(/done, \d+ (?:ms|s) ago/g, 'done, 1 s ago')
      .replaceAll(/\d\d:\d\d:\d\d UTC/g, '12:00:00 UTC')
      .replaceAll(/^ +\+\d[\d.]* (?:ms|s|min \d+ s)/gm, '      +1.0 s')
      .replaceAll(/^(Plan .*), [\d.]+ (?:ms|s|min \d+ s)$/gm, '$1, 5 s')
      .replaceAll(/lost\. [\d.]+ s;/g, 'lost. 10 s;')
      .replaceAll(/[ \t]+$/gm, '')
  )
}
