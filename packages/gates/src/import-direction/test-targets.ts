/** What tests, benchmarks and devDependencies of a package may name besides its row. */
import type { GatesConfig } from '../gates-config.ts'

export function testTargets(direction: NonNullable<GatesConfig['importDirection']>, folder: string): readonly string[] {
  const { may, except } = direction.tests
  return except.includes(folder) ? [] : may
}
