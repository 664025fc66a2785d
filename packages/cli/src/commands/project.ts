import path from 'node:path'
import { oneLine } from '@agentm/memory/shown'
import { findActiveBinding, harnessStateDir, isRoutingError, nameProject, type Project } from '@agentm/routing'
import { filePath } from '@agentm/vault-lock'
import type { Workspace } from '@agentm/workspace'
import { type Command, UsageError } from '../command.ts'

export const project: Command = {
  summary: 'say which project this directory is, and where its state is kept',
  async run({ reader }) {
    const found = await (await reader()).project()
    const data = await described(found)
    const rows = Object.entries(data).filter(([, value]) => value !== undefined && !Array.isArray(value))
    const lines = rows.map(([name, value]) => `${name.padEnd(10)} ${oneLine(String(value))}`)
    return { text: [...lines, ...found.notices.map((notice) => `notice: ${oneLine(notice)}`)].join('\n'), data }
  },
}

export const projectName: Command = {
  takes: 'NAME',
  summary: 'give this checkout a project name of your choice',
  details:
    'Kept as "vault_project" in .harness/project.json at the root of the checkout. Notes and plans that are kept under another\n' +
    'name stay there, and the answer says where.',
  async run({ args: [name = ''], cwd, workspace: open }) {
    if (name.trim() === '') throw new UsageError('agentm project name needs a name.')
    const workspace = await open()
    const before = await projectBefore(workspace)
    // The name is entered into the store, and the first write into a store gives it its marker.
    if (before?.selectionError === undefined) await workspace.storage()
    const after = await nameProject(filePath(path.resolve(cwd)), name.trim(), workspace.routing)
    const stays = before === undefined ? [] : await whatStays(before, after)
    const { slug, projectRoot, notices } = after
    return {
      text: [`${projectRoot} is the project ${JSON.stringify(slug)}.`, ...stays].join('\n'),
      data: { slug, root: projectRoot, before: before?.slug, stays },
      notices,
    }
  },
}

/** A name that cannot be used is what a person wants to change. */
async function projectBefore(workspace: Workspace) {
  try {
    return await workspace.project()
  } catch (error) {
    if (isRoutingError(error, 'INVALID_SLUG')) return undefined
    throw error
  }
}

/** What is kept under the former name. Moving it is a person's decision. */
async function whatStays(before: Project, after: Project): Promise<string[]> {
  const { backend, projectLocator, slug } = before
  const stays: string[] = []
  if (backend !== undefined && projectLocator !== undefined && slug !== after.slug && before.bindingError === undefined)
    if (await backend.exists(projectLocator))
      stays.push(
        `What is kept as ${JSON.stringify(slug)} stays at ${projectLocator.key} in the store. It is not read here any more.`,
      )
  const [from, to] = [harnessStateDir(before), harnessStateDir(after)]
  if (from.local && !to.local) {
    const files = (await from.backend.list(from.locator)).map(({ name }) => name)
    const plans = files.filter((name) => /^(?:PLAN|progress)\b.*\.md$/.test(name))
    if (plans.length > 0)
      stays.push(
        `Plans are kept at ${to.locator.key} in the store from now on. In .harness/ stay, and are not read any more: ${plans.join(', ')}. ` +
          `To take one along: agentm state write ${plans[0]} .harness/${plans[0]}`,
      )
  }
  return stays
}

async function described(found: Project) {
  const place = harnessStateDir(found)
  return {
    slug: found.slug,
    named: namedBy(found),
    root: found.projectRoot,
    key: found.projectLocator?.key,
    layout: found.layout,
    state: place.local ? 'with the checkout, in .harness/' : `in the store, at ${place.locator.key}`,
    writable: place.refusal === undefined,
    binding: found.binding,
    plan: await findActiveBinding(found).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    ),
    notices: found.notices,
  }
}

function namedBy({ namedBy: by }: Project): string | undefined {
  if (by === undefined) return undefined
  return { file: 'by .harness/project.json', remote: 'by the git remote "origin"', root: 'by its directory' }[by]
}
