/** The file that a plan file names: relative to itself. */
import path from 'node:path'

export function subPlanFile(from: string, named: string): string {
  return path.isAbsolute(named) ? named : path.join(path.dirname(from), named)
}
