import { findActiveBinding, harnessStateDir, type Project } from '@agentm/routing'
import { findProject, routingWorld } from '@agentm/workspace'
import type { Command } from '../command.ts'

export const project: Command = {
  summary: 'say which project this directory is, and where its state is kept',
  async run({ cwd }) {
    const found = await findProject(cwd, await routingWorld())
    const data = await described(found)
    const rows = Object.entries(data).filter(([, value]) => value !== undefined && !Array.isArray(value))
    const lines = rows.map(([name, value]) => `${name.padEnd(10)} ${String(value)}`)
    return { text: [...lines, ...found.notices.map((notice) => `notice: ${notice}`)].join('\n'), data }
  },
}

async function described(found: Project) {
  const place = harnessStateDir(found)
  return {
    slug: found.slug,
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
