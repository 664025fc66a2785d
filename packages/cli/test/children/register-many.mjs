// Registers COUNT repositories in the store at ROOT, as one of several processes that do.
import { registerRepo } from '@agentm/routing'

const [module = '', root = '', name = '', count = '0'] = process.argv.slice(2)
const { plugin } = await import(module)
const backend = await plugin.open({ root, vault_path: root })
for (let i = 0; i < Number(count); i++)
  await registerRepo(backend, { slug: `${name}-${i}`, rootPath: `/repos/${name}/${i}` })
