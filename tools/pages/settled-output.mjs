// @ts-check
/**
 * What a command printed, without what is another each time: the home, ids, times. Pages show it so, and it is the same on every machine.
 */

const ids = ['4045c66e', '62469cbf', '3ae6de11', 'a653438f', 'ccf21503', 'abd85f73', '7b1d9e02', 'e5c0d4aa']

/** @param {string} said @param {{ readonly home: string, readonly host: string }} where */
export function settledOutput(said, { home, host }) {
  /** @type {Map<string, string>} */
  const known = new Map()
  const idOf = (/** @type {string} */ id) => {
    const short = id.slice(0, 8)
    known.set(short, known.get(short) ?? ids[known.size % ids.length] ?? short)
    return `${known.get(short)}${id.length > 8 ? '…' : ''}`
  }
  return (
    said
      .replaceAll(home, '/home/you')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '0c9e…')
      .replaceAll(/\b(?=[0-9a-f]*\d)(?=\d*[a-f])(?:[0-9a-f]{8}|[0-9a-f]{32}|[0-9a-f]{64})\b/g, idOf)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-31T12:00:00Z')
      .replaceAll(/\d{4}-\d\d-\d\d(?!T)/g, '2026-01-31')
      // A note has a day and no hour, so in the evening it is a little older.
      .replaceAll(/recency 0\.99/g, 'recency 1.00')
      .replaceAll(/\.\d{8}\.md/g, '.20260131.md')
      .replaceAll(/\b\d+ (?:ms|s) ago\b/g, '2 s ago')
      .replaceAll(/\bfor \d+ (?:ms|s)\b/g, 'for 2 s')
      .replaceAll(/wall=[\d.]+m?s/g, 'wall=9s')
      .replaceAll(`on ${host}, process`, 'on laptop, process')
      .replaceAll(/\b(process|Worker) \d+/g, '$1 4711')
      .replaceAll(/type \d+: \d+/g, 'type 4711: 4711')
      .replaceAll(/[ \t]+$/gm, '')
  )
}

/** What is compared: times of day and durations are another each time, and so is the room they take. @param {string} text */
export function withoutTimes(text) {
  return text
    .replaceAll(/^ +\+[\d.]+ (?:ms|s|min)/gm, '+')
    .replaceAll(/\b\d\d:\d\d:\d\d UTC/g, 'UTC')
    .replaceAll(/, [\d.]+ (?:ms|s|min)(?=$|,| {2})/gm, '')
    .replaceAll(/(?<=\S) {2,}/g, '  ')
}
