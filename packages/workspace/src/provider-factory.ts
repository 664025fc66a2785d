/** The one function of a provider package of the AI SDK that makes its provider, such as `createAnthropic`. */
import type { ImportedModule } from './import-installed.ts'

export function providerFactory(module: ImportedModule): ((settings: unknown) => unknown) | undefined {
  const factories = Object.keys(module).filter((name) => /^create[A-Z]/.test(name))
  const [factory] = factories
  const make = factory === undefined ? undefined : module[factory]
  return factories.length === 1 && isFunction(make) ? make : undefined
}

export function isFunction(value: unknown): value is (argument: unknown) => unknown {
  return typeof value === 'function'
}
