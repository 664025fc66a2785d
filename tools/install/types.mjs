// @ts-check
/**
 * A TypeScript program over an installed package, with every declaration file checked: `skipLibCheck` is off, as in a project
 * that trusts nobody's types. What a package's types import has to be installed with it.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { entriesOf, installNodeTypes, strictly } from './alone.mjs'
import { exec } from './exec.mjs'

/** @typedef {import('./packed.mjs').Packed} Packed */
/** @typedef {import('./alone.mjs').Check} Check */

const options = { ...strictly, skipLibCheck: false, noEmit: true }

/**
 * After `checkAlone`, in its folder. Only what the package itself, or another one of ours, gets wrong is a fault.
 * @param {Packed} packed
 * @param {{ readonly folder: string, readonly tsc: string, readonly pins: Readonly<Record<string, string>> }} setting
 * @returns {Promise<Check>}
 */
export async function checkProgram(packed, { folder, tsc, pins }) {
  const what = 'types of a program, every library checked'
  const names = entriesOf(packed).map((entry) => path.posix.join(packed.name, entry))
  const text = names.map((name, i) => `import * as entry${i} from '${name}'\nvoid entry${i}\n`).join('')
  await writeFile(path.join(folder, 'program.ts'), text)
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  )
  try {
    await installNodeTypes({ folder, pins })
    await exec(tsc, ['-p', folder, '--pretty', 'false'], { cwd: folder })
    return { what }
  } catch (error) {
    return { what, fault: error instanceof Error ? error.message : String(error) }
  }
}
