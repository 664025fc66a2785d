/** Reads the plan file, or standard input. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Call, UsageError } from '../../command.ts'
import { changedInside } from '@agentm/harness/control'
import { namedIn, parsePlanFile, type PlanFile } from '../../plan-file/parse-plan-file.ts'
import { PlanFileError } from '../../plan-file/plan-file-error.ts'

/** The file is the option `--steps`, or an argument of the command. */
export async function readPlanFile(
  { get, cwd, terminal, workspace }: Call,
  given: string | undefined = get('steps'),
): Promise<PlanFile> {
  if (given === undefined)
    throw new UsageError('no file of steps was given. Use --steps FILE, or --steps - for standard input.')
  const text = given === '-' ? await terminal.readInput() : await readText(path.resolve(cwd, given))
  const file = given === '-' ? 'standard input' : given
  const named = namedIn(text, file)
  const texts = await textsOf(named.plans, cwd)
  const inSubPlans = [...texts].flatMap(([name, sub]) => (sub instanceof Error ? [] : kindsNamedIn(sub, name)))
  const kinds = await (await workspace()).stepKindNames([...new Set([...named.kinds, ...inSubPlans])])
  return parsePlanFile(text, { file, kinds, texts })
}

/** These files, and the files that they name, and so on. */
async function textsOf(files: readonly string[], cwd: string): Promise<ReadonlyMap<string, string | Error>> {
  const texts = new Map<string, string | Error>()
  const left = [...files]
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (texts.has(file)) continue
    const text = await textOrError(path.resolve(cwd, file))
    texts.set(file, text)
    if (typeof text === 'string') left.push(...namedOrNone(text, file).plans)
  }
  return texts
}

async function textOrError(file: string): Promise<string | Error> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function kindsNamedIn(text: string, file: string): readonly string[] {
  return namedOrNone(text, file).kinds
}

/** What is wrong with the file is said when it is parsed, together with the problems of the others. */
function namedOrNone(text: string, file: string): ReturnType<typeof namedIn> {
  try {
    return namedIn(text, file)
  } catch (error) {
    if (error instanceof PlanFileError) return { kinds: [], plans: [] }
    throw error
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/**
 * A command runs in the directory where the plan was created, whichever process runs it. In a plan that keeps work apart, directories
 * below that one are those of the tree.
 */
export function inDirectory<P extends Pick<PlanFile, 'steps'>>(plan: P, here: string, isApart = false): P {
  const steps = plan.steps.map((step) =>
    changedInside(step, (inner) => {
      if (inner.kind !== 'command') return inner
      const given = inner.input?.['directory']
      const directory = typeof given === 'string' ? path.resolve(here, given) : here
      const below = path.relative(here, directory)
      const isBelow = !below.startsWith('..') && !path.isAbsolute(below)
      if (isApart && isBelow) return { ...inner, input: { ...inner.input, directory: below === '' ? '.' : below } }
      return { ...inner, input: { ...inner.input, directory } }
    }),
  )
  return { ...plan, steps }
}
