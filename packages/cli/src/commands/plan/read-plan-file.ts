/** Reads the plan file, or standard input. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Call, UsageError } from '../../command.ts'
import { kindsIn, parsePlanFile, type PlanFile } from '../../plan-file/parse-plan-file.ts'

export async function readPlanFile({ get, cwd, terminal, workspace }: Call): Promise<PlanFile> {
  const file = get('steps')
  if (file === undefined)
    throw new UsageError('no file of steps was given. Use --steps FILE, or --steps - for standard input.')
  const text = file === '-' ? await terminal.readInput() : await readText(path.resolve(cwd, file))
  const named = file === '-' ? 'standard input' : file
  const kinds = await (await workspace()).stepKindNames(kindsIn(text, named))
  return parsePlanFile(text, { file: named, kinds })
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** A command runs in the directory where the plan was created, whichever process runs it. */
export function inDirectory<P extends Pick<PlanFile, 'steps'>>(plan: P, here: string): P {
  const steps = plan.steps.map((step) => {
    if (step.kind !== 'command') return step
    const given = step.input?.['directory']
    const directory = typeof given === 'string' ? path.resolve(here, given) : here
    return { ...step, input: { ...step.input, directory } }
  })
  return { ...plan, steps }
}
