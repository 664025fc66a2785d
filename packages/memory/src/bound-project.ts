/**
 * The project that memory is open for. The caller has decided which project this is. If another repository owns the name, `refusal`
 * says so, and no note of the project is read or written.
 */
import { ProjectRefusedError } from './memory-errors.ts'
import { globalPartition } from './notes/pure/note-place.ts'

/** The project that memory is open for. With a `refusal`, no note of that project is read or written. */
export interface BoundProject {
  readonly slug: string
  /** Key of its directory in the store (default: `projects/<slug>`). */
  readonly home?: string
  /** Why this repository may not use the name. */
  readonly refusal?: Error
}

/** The partitions that may be read: that of the project, unless it is refused, and that of notes without a project. */
export function readablePartitions(project: BoundProject | undefined, wanted?: string): readonly string[] {
  const own = project === undefined || project.refusal !== undefined ? [] : [project.slug]
  const readable = [...own, globalPartition]
  if (wanted === undefined) return readable
  if (!readable.includes(wanted)) refuse(wanted, project)
  return [wanted]
}

/** The directory of a new note of the project. */
export function projectHome(project: BoundProject): string {
  if (project.refusal !== undefined) refuse(project.slug, project)
  return project.home ?? `projects/${project.slug}`
}

function refuse(wanted: string, project: BoundProject | undefined): never {
  if (project?.slug === wanted && project.refusal !== undefined)
    throw new ProjectRefusedError(wanted, project.refusal.message, { cause: project.refusal })
  throw new ProjectRefusedError(wanted, 'open memory in a checkout of that project.')
}
