/** The files of the page, read once. Only they are served, by their names: no path of a request ever reaches the disk. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ViewerError } from './viewer-error.ts'

export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** By name, such as `index.html`. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = new URL('../dist/app/', import.meta.url)
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new ViewerError(
      'PAGE_ABSENT',
      `the files of the page are not in ${fileURLToPath(folder)}. Install @agentm/viewer again; in the repository, run npm run build.`,
      { cause: error },
    )
  })
  const files = new Map<string, PageFile>()
  for (const entry of names) {
    const type = types[entry.name.slice(entry.name.lastIndexOf('.') + 1)]
    if (!entry.isFile() || type === undefined) continue
    const inAssets = entry.parentPath.replaceAll('\\', '/').replace(/\/$/, '').endsWith('/assets')
    const name = inAssets ? `assets/${entry.name}` : entry.name
    files.set(name, { type, bytes: await readFile(new URL(name, folder)) })
  }
  return files
}
