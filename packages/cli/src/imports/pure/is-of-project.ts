/** Whether an entry belongs to the project that is imported. Only sources that file entries by project say so. */
import { slugFor } from '@agentm/memory/notes'

export function isOfProject({ project }: { readonly project?: string }, wanted: string | undefined): boolean {
  if (project === undefined || wanted === undefined) return true
  return project === wanted || slugFor(lastPart(project)) === slugFor(wanted)
}

const longestPart = 300

/** Some programs name a project by its path. */
function lastPart(project: string): string {
  return project
    .slice(-longestPart)
    .replace(/[\\/]+$/, '')
    .replace(/^.*[\\/]/, '')
}
