import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describeBackend } from '@agentm/conformance/vitest'
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { filePath } from '@agentm/vault-lock'
import { afterAll, describe, expect, it } from 'vitest'
import { foldingDisks, mountedDisk } from '../../../tools/mounted-disk.mjs'

const tried = foldingDisks.map((kind) => ({ name: kind.name, disk: mountedDisk(kind) }))
const mounted = tried.flatMap(({ name, disk }) => ('why' in disk ? [] : [{ name, ...disk }]))
afterAll(() => {
  for (const { unmount } of mounted) unmount()
})

it.for(tried)('a disk with $name takes names for one that differ in case', ({ disk }, { skip }) => {
  if ('why' in disk) skip(disk.why)
  const directory = 'why' in disk ? '' : disk.directory
  mkdirSync(path.join(directory, 'Kept'))
  expect(existsSync(path.join(directory, 'kEPT'))).toBe(true)
  expect(readdirSync(directory)).toContain('Kept')
})

describe.each(mounted)('on $name', ({ directory: disk }) => {
  /** A directory of its own on that disk for each directory the suite gives. */
  const onDisk = (directory: string) => path.join(disk, path.basename(path.dirname(directory)))

  describeBackend('device-local', async (directory) => new DeviceLocalBackend(filePath(onDisk(directory))), {
    filesIn: onDisk,
  })
})
