// @ts-check
/** Serves the page over a home or a directory, in a process of its own whose memory can be asked for. Ends with its parent. */
import { serveView } from '../../packages/viewer/dist/index.js'

const [, , home = '', directory] = process.argv
const { url } = await serveView({
  place: { home, ...(directory !== undefined && { directory }), settings: { owner: 'ada' } },
  ownProcess: true,
})
process.on('message', () => process.send?.(Math.round(process.memoryUsage().rss / 1e6)))
process.on('disconnect', () => process.exit())
process.send?.(url)
