// @ts-check
/** The arrow table in docs/explanation/architecture.md, kept by `nx sync` as the project references are. */
import { arrows } from '../arrows.mjs'
import { withArrowTable } from '../print-arrows.mjs'

const file = 'docs/explanation/architecture.md'

/** @param {import('@nx/devkit').Tree} tree */
export default function syncArrowTable(tree) {
  const text = tree.read(file, 'utf8') ?? ''
  const existing = Object.keys(arrows).filter((name) => tree.exists(`packages/${name}/package.json`))
  const current = withArrowTable(text, existing)
  if (current !== text) tree.write(file, current)
  return { outOfSyncMessage: `${file} does not show the arrow table as it is. Run: npm run fix` }
}
