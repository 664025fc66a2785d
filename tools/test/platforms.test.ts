import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { emptyForwarder } from '../platforms/forwarder-dll.mjs'
import { firstDifference, transcriptIn, withTranscript } from '../platforms/page.mjs'
import { settled } from '../platforms/settled.mjs'

const page = path.resolve(import.meta.dirname, '../../docs/reference/platforms.md')

it('leaves of a transcript what is the same on every machine', () => {
  const home = '/tmp/agentm-first-minute-x1/home'
  const text = [
    'Notes are stored in the store 685f1a85-4c6b-4fce-a765-4bf880b29c5b.',
    `lock [OK] ${home}/.cache/locks/${'ab'.repeat(32)}/lock`,
    '$ kill -9 31425',
    'running  build, on vm, process 31425',
    'failed   build: the lease of its worker ran out',
    'demo-mwmx10m0  done  3 of 3 done, 47 ms ago',
    'Plan demo-mwmx10m0: done, 3 of 3 steps done, 4 s',
    'Created on 2026-11-18 12:37:43 UTC',
    '    +930 ms  build    failed: lease: the lease of its worker ran out',
    '      +1.2 s  test     done',
    'Nothing was lost. 11.7 s; all temporary files were removed.',
  ]
  expect(settled({ home, project: '/tmp/agentm-first-minute-x1/acme', text: text.join('\r\n') }).split('\n')).toEqual([
    'Notes are stored in the store 0c9e….',
    'lock [OK] /home/you/.cache/locks/5e1f…/lock',
    '$ kill -9 4711',
    'failed   build: the process of its worker is gone',
    'demo-1  done  3 of 3 done, 1 s ago',
    'Plan demo-1: done, 3 of 3 steps done, 5 s',
    'Created on 2026-01-31 12:00:00 UTC',
    '      +1.0 s  build    failed: vanished: the process of its worker is gone',
    '      +1.0 s  test     done',
    'Nothing was lost. 10 s; all temporary files were removed.',
  ])
  const windows = { home: 'C:\\users\\root\\Temp\\a\\home', project: 'C:\\users\\root\\Temp\\a\\acme' }
  const places = `${windows.home}\\.agentm ${windows.project} C:\\users\\root\\Temp\\agentm-demo-R7btq3\\home`
  expect(settled({ ...windows, text: places })).toBe(
    'C:\\Users\\you\\.agentm C:\\Users\\you\\acme C:\\Temp\\agentm-demo\\home',
  )
})

it('keeps a transcript for each platform in docs/reference/platforms.md, in which nothing of a machine is left', async () => {
  const text = await readFile(page, 'utf8')
  for (const name of ['Windows', 'Bun', 'Deno']) {
    const transcript = transcriptIn(text, name) ?? ''
    expect(transcript).toMatch(/^\$ agentm init --yes\n/)
    expect(transcript).toMatch(/\nNothing was lost\. 10 s[,;] .*\.\n$/)
    expect(transcript).not.toMatch(/\(ended with|agentm-first-minute|not looked up/)
  }
})

it('says where a transcript and the page part', async () => {
  const text = '# P\n\n## The first minute on A\n\n```text\none\ntwo\n```\n\n## The first minute on B\n'
  expect(transcriptIn(text, 'A')).toBe('one\ntwo\n')
  expect(transcriptIn(text, 'B')).toBeUndefined()
  expect(transcriptIn(withTranscript(text, 'A', 'three\n'), 'A')).toBe('three\n')
  expect(firstDifference('one\ntwo\n', 'one\ntwo\n')).toBeUndefined()
  expect(firstDifference('one\n2\n', 'one\ntwo\n')).toBe('line 2 is\n  2\nand docs/reference/platforms.md says\n  two')
  expect(firstDifference('one\n', 'one\n\ntwo')).toBe('line 3 is missing: two')
})

it('makes a library of one name and no code', () => {
  const dll = emptyForwarder({ library: 'x.dll', name: 'Here', to: 'y.There' })
  expect(dll).toHaveLength(1024)
  expect(dll.toString('latin1')).toMatch(/^MZ.*PE\0\0.*x\.dll\0y\.There\0Here\0/s)
})
