/**
 * The project memory is open for. Who opens memory has settled which project this is; a repository that merely calls itself
 * by the name of another one arrives with a refusal, and then nothing of that project is read or written.
 */
import { ProjectRefusedError } from './memory-errors.ts'
import { globalPartition } from './notes/pure/note-place.ts'

/** The project memory is open for. With a `refusal`, nothing of that project is read or written. */
export interface BoundProject {
  readonly slug: string
  /** Key of its directory in the store (default: `projects/<slug>`). */
  readonly home?: string
  /** Why the name is not this repository's to use. */
  readonly refusal?: Error
}

/** The partitions that may be read: the project's, unless refused, and what belongs to no project. */
export function readablePartitions(project: BoundProject | undefined, wanted?: string): readonly string[] {
  const own = project === undefined || project.refusal !== undefined ? [] : [project.slug]
  const readable = [...own, globalPartition]
  if (wanted === undefined) return readable
  if (!readable.includes(wanted)) refuse(wanted, project)
  return [wanted]
}

/** The home of a new note of the project. */
export function projectHome(project: BoundProject): string {
  if (project.refusal !== undefined) refuse(project.slug, project)
  return project.home ?? `projects/${project.slug}`
}

function refuse(wanted: string, project: BoundProject | undefined): never {
  if (project?.slug === wanted && project.refusal !== undefined)
    throw new ProjectRefusedError(wanted, project.refusal.message, { cause: project.refusal })
  throw new ProjectRefusedError(wanted, 'open memory in a checkout of that project.')
}
