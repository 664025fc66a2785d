/** The packages that tests, benchmarks and devDependencies may name in addition to the package's row. */
import type { GatesConfig } from '../gates-config.ts'

export function testTargets(direction: NonNullable<GatesConfig['importDirection']>, folder: string): readonly string[] {
  const { may, except } = direction.tests
  return except.includes(folder) ? [] : may
}
