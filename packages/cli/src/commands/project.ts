import path from 'node:path'
import { oneLine } from '@agentm/memory/shown'
import { findActiveBinding, harnessStateDir, isRoutingError, nameProject, type Project } from '@agentm/routing'
import { filePath } from '@agentm/vault-lock'
import type { Workspace } from '@agentm/workspace'
import { type Command, UsageError } from '../command.ts'
import { commandWord } from '../typed.ts'

export const project: Command = {
  summary: 'show the project of this directory, and where its state files are',
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
  summary: 'set the project name of this checkout',
  details:
    'The name is written to .harness/project.json at the root of the checkout, as "vault_project". Notes and plan files stored under the ' +
    'former name are not moved; the answer says where they are.',
  async run({ args: [name = ''], cwd, workspace: open }) {
    if (name.trim() === '') throw new UsageError('the name is empty. Give a name: agentm project name NAME')
    const workspace = await open()
    const before = await projectBefore(workspace)
    // The name is written to the store, and the first write gives the store its marker.
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

/** The present name may be invalid: then the person wants to change exactly that. */
async function projectBefore(workspace: Workspace) {
  try {
    return await workspace.project()
  } catch (error) {
    if (isRoutingError(error, 'INVALID_SLUG')) return undefined
    throw error
  }
}

/** What is stored under the former name. Moving it is a person's decision. */
async function whatStays(before: Project, after: Project): Promise<string[]> {
  const { backend, projectLocator, slug } = before
  const stays: string[] = []
  if (backend !== undefined && projectLocator !== undefined && slug !== after.slug && before.bindingError === undefined)
    if (await backend.exists(projectLocator))
      stays.push(
        `Notes of the former name ${JSON.stringify(slug)} stay at ${projectLocator.key} in the store. They are no longer read in this checkout.`,
      )
  const [from, to] = [harnessStateDir(before), harnessStateDir(after)]
  if (from.local && !to.local) {
    const files = (await from.backend.list(from.locator)).map(({ name }) => name)
    const plans = files.filter((name) => /^(?:PLAN|progress)\b.*\.md$/.test(name))
    if (plans.length > 0)
      stays.push(
        `Plan files are stored at ${to.locator.key} in the store from now on. These files stay in .harness/ and are no longer read: ${plans.join(', ')}. ` +
          `To move one: ${commandWord()} state write ${plans[0]} .harness/${plans[0]}`,
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
