/** The real file system, with something done before every call, also those on open files. */
import { nodeFileSystem, type FileSystem } from '@agentm/vault-lock'

type Before = (call: string) => void | Promise<void>

interface Tampering {
  /** Whether this transfer moves only half of what it was asked to: a read says so, a write then finds the disk full. */
  readonly halved?: () => boolean
}

export function wrappedFileSystem(before: Before, tampering: Tampering = {}): FileSystem {
  return wrap(nodeFileSystem, before, tampering)
}

function wrap<T extends object>(real: T, before: Before, tampering: Tampering): T {
  return new Proxy(real, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      // How a directory names what lies in it is no call.
      if (typeof value !== 'function' || typeof name !== 'string' || name === 'at') return value
      return async (...args: unknown[]) => {
        // A file is closed also when closing reports a fault.
        const first = name === 'close' ? (Reflect.apply(value, target, args) as unknown) : undefined
        await first
        await before(name)
        if (name === 'close') return undefined
        const cut = isTransfer(name, args) && tampering.halved?.() === true
        const answer = (await Reflect.apply(value, target, cut ? half(args) : args)) as unknown
        if (cut && name === 'writeFile') throw Object.assign(new Error('cut short'), { code: 'ENOSPC' })
        return name === 'open' || name === 'openDirectory' ? wrap(answer as object, before, tampering) : answer
      }
    },
  })
}

function isTransfer(name: string, args: readonly unknown[]): boolean {
  return (name === 'read' || name === 'writeFile') && args[0] instanceof Uint8Array && args[0].length > 1
}

function half([bytes, ...rest]: readonly unknown[]): unknown[] {
  const whole = bytes as Uint8Array
  return [whole.subarray(0, Math.ceil(whole.length / 2)), ...rest]
}

export function brokenDisk(): Error {
  return Object.assign(new Error('broken disk'), { code: 'EIO' })
}
