/** Reads the plan file, or standard input. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { NewPlan } from '@agentm/harness'
import { type Call, UsageError } from '../../command.ts'
import { type FilePlace, type GivenFile, givenFile } from '../../plan-file/given-files.ts'
import { inDirectory } from '../../plan-file/in-directory.ts'
import { namedIn, parsePlanFile, type PlanFile } from '../../plan-file/parse-plan-file.ts'
import { PlanFileError } from '../../plan-file/plan-file-error.ts'

/** Of every command that creates a plan from a file. */
export const inputOption = {
  input: { value: 'NAME=VALUE', help: 'an input of the plan; lists and objects as JSON', repeats: true },
} as const

/** The file is the option `--steps`, or an argument of the command. */
export async function readPlanFile(
  { get, all, cwd, terminal, workspace }: Call,
  source: string | undefined = get('steps'),
): Promise<PlanFile> {
  const given = inputsIn(all('input'))
  if (source === undefined)
    throw new UsageError('no file of steps was given. Use --steps FILE, or --steps - for standard input.')
  const text = source === '-' ? await terminal.readInput() : await readText(path.resolve(cwd, source))
  const file = source === '-' ? 'standard input' : source
  const named = namedIn(text, file)
  const texts = await textsOf(named.plans, cwd)
  const inSubPlans = [...texts].flatMap(([name, sub]) => (sub instanceof Error ? [] : kindsNamedIn(sub, name)))
  const kinds = await (await workspace()).stepKindNames([...new Set([...named.kinds, ...inSubPlans])])
  const inPlans = [[file, text] as const, ...texts].flatMap(([name, each]) =>
    each instanceof Error ? [] : namedOrNone(each, name).files.map((at) => ({ at, plan: name })),
  )
  const files = await filesOf(inPlans, { cwd, media: async () => (await (await workspace()).plans()).agents.media })
  return parsePlanFile(text, { file, kinds, texts, files, given })
}

interface FilesPlace {
  readonly cwd: string
  readonly media: () => Promise<FilePlace['media']>
}

/** A plan file is somebody else's as often as not, so it names nothing outside of its own folder and of the working folder. */
async function filesOf(
  named: readonly { readonly at: string; readonly plan: string }[],
  { cwd, media }: FilesPlace,
): Promise<ReadonlyMap<string, GivenFile>> {
  const files = new Map<string, GivenFile>()
  for (const { at, plan } of named) {
    const within = [cwd, path.dirname(path.resolve(cwd, plan))]
    files.set(at, await givenFile(at, { directory: cwd, within, media: await media() }))
  }
  return files
}

/** The plan to create of a file. `--title` takes the place of its goal. */
export function planOfFile(
  { get }: Pick<Call, 'get'>,
  { goal: written, steps, input, inputs, budget, check }: PlanFile,
): NewPlan {
  const goal = get('title') ?? written
  if (goal === undefined) throw new UsageError('the file has no goal. Add one to the file, or give --title TEXT.')
  const given = { ...(input && { input }), ...(inputs && { inputs }) }
  return { goal, steps, ...given, ...(budget && { budget }), ...(check && { check }) }
}

/** The values of an option that is repeated, each as `NAME=VALUE`. */
export function inputsIn(options: readonly string[], name = 'input'): Readonly<Record<string, string>> {
  return namedValues(options, (option) => `--${name} takes NAME=VALUE, such as --${name} tag=v2, not ${option}.`)
}

function namedValues(
  options: readonly string[],
  complaint: (option: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    options.map((option) => {
      const [name = '', ...value] = option.split('=')
      if (name === '' || value.length === 0) throw new UsageError(complaint(JSON.stringify(option)))
      return [name, value.join('=')]
    }),
  )
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
    if (error instanceof PlanFileError) return { kinds: [], plans: [], files: [] }
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

/** Directories of this machine mean nothing on another one. */
export async function placedHere(plan: NewPlan, call: Call): Promise<NewPlan> {
  const workspace = await call.workspace()
  return (await workspace.plans()).isLocal ? inDirectory(plan, workspace.directory) : plan
}
