/**
 * Runs a program to its end and keeps the end of its output. If it is aborted or this process dies, its whole process group is
 * ended.
 */
import type { ChildProcess } from 'node:child_process'
import { OutputTail } from './output-tail.ts'
import { type Around, endOfProgram, type ProgramEnding, type StartedProgram, startProgram } from './start-program.ts'

/** A program to run: its command and arguments, what it sees, and how much of its output is kept. */
export interface Program extends StartedProgram {
  readonly stdin: string | undefined
  /** The limit for each of the two streams, counted from the end. */
  readonly maxOutputBytes: number
  /** Gets the program when it has been started, to read its streams as they come. */
  readonly onStart?: (program: ChildProcess) => void
}

export interface ProgramEnd {
  readonly ended: ProgramEnding
  readonly stdout: OutputTail
  readonly stderr: OutputTail
}

export async function runProgram(program: Program, around: Around): Promise<ProgramEnd> {
  const { stdin, maxOutputBytes } = program
  const child = startProgram(program, around.runtime)
  const [stdout, stderr] = [new OutputTail(maxOutputBytes), new OutputTail(maxOutputBytes)]
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
  program.onStart?.(child)
  child.stdin?.end(stdin)
  return { ended: await endOfProgram(child, around), stdout, stderr }
}
