import path from 'node:path'
import { oneLine } from '@agentm/memory/shown'
import { readRepos, registerRepo, unregisterRepo } from '@agentm/routing'
import { requireCapability } from '@agentm/storage-seam'
import { type Command, UsageError } from '../command.ts'

export const reposList: Command = {
  summary: 'list the repositories registered in this store',
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
  summary: 'register this repository, or another',
  details:
    'A project name belongs to the repository that used it first. Register a second checkout to say that it belongs to the same project.',
  options: {
    slug: { value: 'NAME', help: 'the project name (default: that of the directory)' },
    root: { value: 'DIR', help: 'the checkout (default: this directory)' },
    wiki: { value: 'DIR', help: 'the directory of the wiki of the project' },
  },
  async run(call) {
    const workspace = await call.workspace(call.get('root'))
    const project = await workspace.project()
    const slug = call.get('slug') ?? project.slug
    if (slug === undefined)
      throw new UsageError(
        'this directory is not part of a project, so there is no name to register. Give one: --slug NAME',
      )
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
  summary: 'remove a repository from the registry; its files are not deleted',
  async run({ args: [slug = ''], workspace }) {
    const { backend } = await (await workspace()).selected()
    requireCapability(backend, 'conditionalWrite')
    const removed = await unregisterRepo(backend, slug)
    return {
      text: removed ? `removed ${oneLine(slug)}` : `${oneLine(slug)} is not registered`,
      data: { slug, removed },
    }
  },
}
