// @ts-check
/** What the demo is there to tell from ours: whole files, but two processes read the same text and one overwrites the other. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

const [root = '', name = ''] = process.argv.slice(2)
const note = path.join(root, 'note.md')
const temp = `${note}.${process.pid}`
const wanted = { large: false, stop: false }
process.on('message', (message) => {
  if (message === 'stop') wanted.stop = true
  else wanted.large = true
})

for (let n = 1; !wanted.stop; n++) {
  const text = await readFile(note, 'utf8').catch(() => '')
  await writeFile(temp, `${text}${name} ${n}${wanted.large ? ` ${'x'.repeat(32 * 1024 * 1024)} end` : ''}\n`)
  await rename(temp, note)
  process.send?.(`${name} ${n}`)
}
process.disconnect()
