import { readFile } from 'node:fs/promises'
import { harnessStateDir, readStateFile, resolveActivePlan, statePath, writeStateFile } from '@agentm/routing'
import { CorruptTextError, Locator } from '@agentm/storage-seam'
import { type Command, UsageError } from '../command.ts'

const where = { cwd: { value: 'DIR', help: 'the checkout (default: this directory)' } }

export const stateRead: Command = {
  takes: 'FILE',
  summary: 'print a state file, such as PLAN.md; the exit code is 1 when it does not exist',
  options: where,
  async run({ args: [name = ''], reader }) {
    const project = await (await reader()).project()
    const found = await readStateFile(project, name)
    if (found.kind === 'unreadable') throw found.error
    const { notices } = project
    if (found.kind === 'absent') return { text: '', data: { name, found: false, notices }, notices, exit: 1 }
    return { text: found.text, exact: true, data: { name, found: true, text: found.text, notices }, notices }
  },
}

export const stateWrite: Command = {
  takes: 'FILE [SOURCE]',
  summary: 'write a state file, such as PLAN.md, from a file or standard input',
  details:
    'The file is written where the project keeps its state files. If that place cannot be written, the command refuses.',
  options: where,
  async run({ args: [name = '', source = '-'], workspace: open, terminal }) {
    const workspace = await open()
    const project = await workspace.project()
    const place = harnessStateDir(project)
    // The first write into a store gives it its marker.
    if (!place.local && place.refusal === undefined) await workspace.storage()
    const text = source === '-' ? await terminal.readInput() : await readSource(source)
    const at = await writeStateFile(project, name, text)
    const home = place.local ? `.harness/${at.key}` : at.key
    return { text: `${home} written`, data: { name, key: at.key, local: place.local }, notices: project.notices }
  },
}

export const statePlace: Command = {
  takes: 'WHICH',
  summary: 'print the path of the active plan file, or of its progress file',
  details: 'WHICH is plan or progress.',
  options: { ...where, plan: { value: 'NAME', help: 'a named plan file (default: the active one)' } },
  async run({ args: [which = ''], reader: open, get }) {
    if (which !== 'plan' && which !== 'progress')
      throw new UsageError(`there is no state path ${JSON.stringify(which)}. Use plan or progress.`)
    const reader = await open()
    const project = await reader.project()
    const place = await statePath(project, { which, plan: get('plan') }, reader.routing)
    const { refusal } = await resolveActivePlan(project, { plan: get('plan') })
    const { notices } = project
    return { text: place, data: { path: place, writable: refusal === undefined, notices }, notices }
  },
}

async function readSource(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new CorruptTextError(new Locator(file.replaceAll('\\', '/').replaceAll('..', '.')), { cause: error })
  }
}
