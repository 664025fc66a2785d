// @ts-check
/** The thread of `src/tools/files/line-matcher.ts`: gets one pattern and then texts, and answers with the lines that match. */
import { parentPort, workerData } from 'node:worker_threads'

const { pattern, flags } = workerData
const wanted = new RegExp(pattern, flags)

parentPort?.on('message', (/** @type {string} */ text) => {
  const lines = text.split('\n')
  const found = lines.flatMap((line, i) => (wanted.test(line.replace(/\r$/, '')) ? [i] : []))
  parentPort?.postMessage(found, [])
})
