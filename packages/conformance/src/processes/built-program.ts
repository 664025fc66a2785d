/** Finds the built version of a program whose starter runs from source, because Node does not run TypeScript. */
import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CrewRefusedError } from './crew-refused-error.ts'

export function builtProgram(name: string): string {
  const beside = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const built = beside.replace(`${sep}src${sep}processes${sep}`, `${sep}dist${sep}processes${sep}`)
  if (!existsSync(built)) throw new CrewRefusedError(`${built} is not built. Run \`npm run build\` first.`)
  return built
}
