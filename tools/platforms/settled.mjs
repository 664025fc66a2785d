// @ts-check
/**
 * A transcript without what is another each time: places of the machine, ids, times. What is left is the same on every machine, and
 * reads like a transcript.
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
      // Only who reads the log at the right moment sees that a killed worker's step still counts as running.
      .replaceAll(/^running {2}build, on .*\n/gm, '')
      // Where the next command takes ten seconds to start, the lease of the killed worker is over before anybody looks for its process.
      .replaceAll('the lease of its worker ran out', 'the process of its worker is gone')
      .replaceAll('-- lease: the process', '-- vanished: the process')
      .replaceAll(/\S*[\\/]agentm-demo-\w+/g, () => `${temporary}${isWindows ? '\\' : '/'}agentm-demo`)
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '0c9e…')
      .replaceAll(/[0-9a-f]{64}/g, '5e1f…')
      .replaceAll(/:step:[0-9a-f]{32}/g, ':step:…')
      .replaceAll(/demo-[0-9a-z]{8}\b/g, 'demo-1')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '2026-01-31T12:00:00Z')
      .replaceAll(/\d{4}-\d\d-\d\d(?!T)/g, '2026-01-31')
      .replaceAll(/^\$ kill -9 \d+$/gm, '$ kill -9 4711')
      .replaceAll(/done, \d+ (?:ms|s) ago/g, 'done, 1 s ago')
      .replaceAll(/wall=[\d.]+s/g, 'wall=5s')
      .replaceAll(/lost\. [\d.]+ s, and/g, 'lost. 10 s, and')
      .replaceAll(/[ \t]+$/gm, '')
  )
}
