/** The project of this directory, and what is wrong with its project file or with the registry of repositories. */
import { readRepos } from '@agentm/routing'
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'
import { oneLine } from '@agentm/memory/shown'

export async function projectRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  return [...(await rowsOfProject(reader)), ...(await rowsOfRegistry(reader))]
}

async function rowsOfProject(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  try {
    const { slug, projectRoot, notices, selectionError, bindingError } = await reader.project()
    // Problems of the store are on the storage line.
    const told = notices.filter((notice) => notice !== selectionError?.message)
    const fails = (notice: string) => notice === bindingError?.message || notice.startsWith('.harness/project.json')
    const found =
      slug === undefined
        ? `${projectRoot} is not part of a project; notes saved here belong to every project`
        : `${slug}, ${projectRoot}`
    return [row('ok', found), ...told.map((notice) => row(fails(notice) ? 'fail' : 'warn', notice))]
  } catch (error) {
    return [row('fail', messageOf(error))]
  }
}

function row(status: HealthRow['status'], text: string): HealthRow {
  return { name: 'project', status, text: oneLine(text) }
}

async function rowsOfRegistry(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  try {
    const backend = await reader.selected().then(
      (storage) => storage.backend,
      () => undefined,
    )
    if (backend !== undefined) await readRepos(backend)
    return []
  } catch (error) {
    return [{ name: 'repos', status: 'fail', text: oneLine(messageOf(error)) }]
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
