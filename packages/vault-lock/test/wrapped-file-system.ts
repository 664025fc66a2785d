/** The real file system, with something done before every call, also those on open files. */
import { nodeFileSystem, type FileSystem } from '@agentm/vault-lock'

export function wrappedFileSystem(before: (call: string) => void | Promise<void>): FileSystem {
  return wrap(nodeFileSystem, before)
}

function wrap<T extends object>(real: T, before: (call: string) => void | Promise<void>): T {
  return new Proxy(real, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      return async (...args: unknown[]) => {
        // A file is closed also when closing reports a fault.
        const first = name === 'close' ? (Reflect.apply(value, target, args) as unknown) : undefined
        await first
        await before(name)
        if (name === 'close') return undefined
        const answer = (await Reflect.apply(value, target, args)) as unknown
        return name === 'open' ? wrap(answer as object, before) : answer
      }
    },
  })
}

export function brokenDisk(): Error {
  return Object.assign(new Error('broken disk'), { code: 'EIO' })
}
