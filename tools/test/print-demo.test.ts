import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoPicture, transcriptOn } from '../print-demo.mjs'

const docs = path.resolve(import.meta.dirname, '../../docs')
const transcript = transcriptOn(await readFile(path.join(docs, 'tutorials/first-minute.md'), 'utf8'))
const picture = await readFile(path.join(docs, 'demo.svg'), 'utf8')

describe('docs/demo.svg', () => {
  it('tells what the demo printed', () => {
    expect(picture, 'run: npm run docs').toBe(demoPicture(transcript))
  })

  it('is small, and needs no script and nothing from elsewhere', () => {
    expect(Buffer.byteLength(picture)).toBeLessThan(100_000)
    expect(picture).not.toMatch(/<script|<image|href|url\(|@import/)
  })

  it('shows every line of the transcript, one after the other', () => {
    const lines = [...picture.matchAll(/<text id="l\d+"[^>]*>([^<]*)</g)].map(([, line]) => line)
    expect(lines).toHaveLength(transcript.split('\n').length)
    const moments = [...picture.matchAll(/@keyframes l\d+\{0%\{opacity:0\}([\d.]+)%/g)].map(([, at]) => Number(at))
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(moments.at(-1)).toBeLessThan(90)
  })

  it('stands still for who does not want motion', () => {
    expect(picture).toContain('prefers-reduced-motion:reduce')
  })

  it('shows text as text', () => {
    expect(demoPicture('a <b> & c')).toContain('>a &lt;b&gt; &amp; c</text>')
    expect(demoPicture('x'.repeat(200))).toContain(`${'x'.repeat(103)}…</text>`)
  })
})
