import path from 'node:path'
import { oneLine } from '@agentm/memory/shown'
import { readRepos, registerRepo, unregisterRepo } from '@agentm/routing'
import { requireCapability } from '@agentm/storage-seam'
import { type Command, UsageError } from '../command.ts'

export const reposList: Command = {
  summary: 'print the repositories this store knows',
  async run({ reader }) {
    const { backend } = await (await reader()).selected()
    const repos = await readRepos(backend)
    return {
      text: repos.map(({ slug, rootPath }) => `${oneLine(slug).padEnd(24)} ${oneLine(rootPath)}`).join('\n'),
      data: { repos },
    }
  },
}

export const reposRegister: Command = {
  summary: 'enter this repository, or another, into the registry',
  details:
    'A slug belongs to the repository that first used it. Registering says on purpose that this one is meant too.',
  options: {
    slug: { value: 'NAME', help: 'the project name; otherwise the one this directory has' },
    root: { value: 'DIR', help: 'the checkout; otherwise this directory' },
    wiki: { value: 'DIR', help: 'where the wiki of the project is' },
  },
  async run(call) {
    const workspace = await call.workspace(call.get('root'))
    const project = await workspace.project()
    const slug = call.get('slug') ?? project.slug
    if (slug === undefined) throw new UsageError('this directory has no project name. Give one with --slug.')
    const { backend } = await workspace.storage()
    requireCapability(backend, 'conditionalWrite')
    const wiki = call.get('wiki')
    await registerRepo(backend, {
      slug,
      rootPath: project.projectRoot,
      binding: project.checkout,
      ...(wiki === undefined ? {} : { wikiPath: path.resolve(call.cwd, wiki) }),
    })
    return { text: slug, data: { slug, root: project.projectRoot } }
  },
}

export const reposUnregister: Command = {
  takes: 'SLUG',
  summary: 'take a repository out of the registry; its files stay',
  async run({ args: [slug = ''], workspace }) {
    const { backend } = await (await workspace()).selected()
    requireCapability(backend, 'conditionalWrite')
    const removed = await unregisterRepo(backend, slug)
    return { text: removed ? 'removed' : 'noop', data: { slug, removed } }
  },
}
