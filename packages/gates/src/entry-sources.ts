/** The source files of a package's entries, which its `exports` lead to before the build. */
import path from 'node:path'
import type { CodeFile, Sources } from './sources.ts'
import type { WorkspacePackage } from './workspace-package.ts'

/** All entry files; every file if the manifest leads to none that can be read. */
export function entryFiles(sources: Sources, owner: WorkspacePackage): readonly CodeFile[] {
  const { exports, main } = owner.manifest
  const keyed =
    typeof exports === 'object' && exports !== null && Object.keys(exports).every((key) => key.startsWith('.'))
  const targets = keyed ? Object.values(exports) : [exports ?? main]
  const found = targets.map((target) => fileBehind(sources, owner, target)).filter((file) => file !== undefined)
  return found.length > 0 ? found : sources.code.filter((file) => file.package === owner)
}

/** The file behind one entry, `''` for the package itself. */
export function entryFile(sources: Sources, owner: WorkspacePackage, entry: string): CodeFile | undefined {
  const { exports, main } = owner.manifest
  if (typeof exports !== 'object' || exports === null)
    return entry === '' ? fileBehind(sources, owner, exports ?? main) : undefined
  return fileBehind(sources, owner, (exports as Record<string, unknown>)[entry === '' ? '.' : `./${entry}`])
}

function fileBehind(sources: Sources, owner: WorkspacePackage, target: unknown): CodeFile | undefined {
  for (const text of textsIn(target))
    for (const spelling of spellings(text)) {
      const file = sources.fileAt(path.join(owner.root, spelling))
      if (file !== undefined && file.zone === 'code') return file
    }
  return undefined
}

/** Conditions may be nested; the first that leads to a source wins. */
function textsIn(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target]
  return typeof target === 'object' && target !== null ? Object.values(target).flatMap(textsIn) : []
}

/** The usual source paths of a built file, and the file itself. */
function spellings(text: string): readonly string[] {
  const plain = text.replace(/\.d\.([cm]?)ts$/, '.$1js')
  const source = plain.replace(/^(?:\.\/)?(?:dist|build|lib|out)\//, 'src/')
  return [plain, source].flatMap((each) => [each, each.replace(/\.([cm]?)js$/, '.$1ts'), each.replace(/\.js$/, '.tsx')])
}
