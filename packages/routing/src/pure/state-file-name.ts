/** The names of a project's state files. A checkout may be hostile, so no other file in its directory is read or written. */
import { planObjection } from './plan-name.ts'

const fixed: ReadonlySet<string> = new Set(['PLAN.md', 'progress.md', 'features.json', 'project.json'])
/** Named plans, and archived ones: `PLAN.archive.2026-01-02-release.md`. */
const twins = /^(?:PLAN|progress)(?:-|\.archive\.)(.+)\.md$/s

export function isStateFileName(name: string): boolean {
  if (fixed.has(name)) return true
  const slug = twins.exec(name)?.[1]
  return slug !== undefined && planObjection({ slug }) === undefined
}
