/** Runs programs in the working directory. The user's configuration decides which. A program sees no key and no password of agentm. */
import { defineTool, type Tool, type ToolAnswer } from '../loop/tool.ts'
import { ToolError } from '../loop/tool-error.ts'
import { type ProgramEnd, runProgram } from '../programs/run-program.ts'
import { whyNotStarted } from '../programs/why-not-started.ts'
import { lineInput, programInput, shell, type ShellToolOptions } from './shell/shell-options.ts'
import { shellProgram, type Wanted } from './shell/shell-program.ts'

/** A tool that runs the programs you allow, in one folder. A program sees no key and no password of agentm. */
export function shellTool(options: ShellToolOptions): Tool {
  const { policy } = options
  const { interpret = false, needsApproval = false } = policy
  const common = {
    name: 'shell',
    nature: 'effectful',
    needsApproval,
    // The tool has its own timeout, because a program that was ended may have done part of its work, and the tool reports that.
    retry: { timeoutMs: 0, attempts: 1 },
  } as const
  if (interpret)
    return defineTool({
      ...common,
      description: `Runs a line with ${shell} in the working folder, and gives what it wrote.`,
      input: lineInput,
      run: async (wanted, { signal, key }) => run(options, wanted, { signal, key }),
    })
  return defineTool({
    ...common,
    description: `Runs a program in the working folder, without a shell, and gives what it wrote. Allowed: ${policy.allow.join(', ')}.`,
    input: programInput,
    run: async (wanted, { signal, key }) => run(options, wanted, { signal, key }),
  })
}

async function run(
  options: ShellToolOptions,
  { stdin, ...wanted }: Wanted & { readonly stdin?: string | undefined },
  { signal, key }: { readonly signal: AbortSignal; readonly key: string },
): Promise<ToolAnswer> {
  const { policy, runtime } = options
  const { timeoutMs = 120_000, maxOutputBytes = 32_768 } = policy
  const program = await shellProgram(options, wanted, key)
  const [late, over] = [new AbortController(), new AbortController()]
  void runtime.sleep(timeoutMs, over.signal).then(
    () => late.abort(),
    () => undefined,
  )
  const around = { signal: AbortSignal.any([signal, late.signal]), runtime }
  const end = await runProgram({ ...program, stdin, maxOutputBytes }, around)
  over.abort()
  signal.throwIfAborted()
  return answerOf(program.name, end, late.signal.aborted ? timeoutMs : undefined)
}

function answerOf(command: string, { ended, stdout, stderr }: ProgramEnd, lateMs: number | undefined): ToolAnswer {
  if ('error' in ended)
    throw new ToolError('not_found', whyNotStarted(command, { error: ended.error, directory: undefined }), {
      mayHaveHappened: false,
    })
  const how = 'code' in ended ? `ended with ${ended.code}` : `was ended by ${ended.signal}`
  const first = lateMs === undefined ? `${command} ${how}` : `${command} was ended after ${lateMs} ms`
  const said = [
    ['output', stdout],
    ['errors', stderr],
  ] as const
  const parts = said.flatMap(([name, tail]) =>
    tail.text === '' ? [] : [`${name}${tail.cut ? ', the end of it' : ''}:\n${tail.text}`],
  )
  const failed = lateMs !== undefined || !('code' in ended) || ended.code !== 0
  return { text: [first, ...parts].join('\n\n'), failed }
}
