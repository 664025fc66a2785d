/**
 * Failures with what ended them: the same command passed after one command that sets something up, or another command did what a
 * missing one could not. What an edit of the code cured is ordinary work, and what went away by itself cured nothing.
 */
import { isFixingEdit } from '../../sessions/pure/fixing-edit.ts'
import { isAddressedToReader } from '../../statements/pure/addressed-to-reader.ts'
import type { Lesson, LessonTurn } from './lesson.ts'
import { commandsIn, programOf } from './program.ts'
import { isKnownCommand } from './tools.ts'

export function failureFixes(turn: LessonTurn, next: LessonTurn | undefined): readonly Lesson[] {
  if (next !== undefined && isTakenBack(next.asked)) return []
  const mended = (turn.fixes ?? []).flatMap(({ command, error, by }) => {
    const cure = cureOf(by)
    if (cure === undefined || !isFailureOfSurroundings(error) || !isPlain(command)) return []
    if (!isTrusted(cure, error)) return []
    return [
      lessonOf({ turn, command, statement: `\`${command}\` failed here${quoted(error)} until \`${cure}\` was run.` }),
    ]
  })
  return [...mended, ...substitutes(turn)]
}

interface Found {
  readonly turn: LessonTurn
  readonly command: string
  readonly statement: string
}

function lessonOf({ turn, command, statement }: Found): Lesson {
  return { kind: 'fix', belief: 'outcome', statement, subject: `fix ${command}`, confidence: 0.5, from: [turn] }
}

/** The one command that set something up; `undefined` if files were edited, too, or several commands could be the cause. */
function cureOf(by: readonly string[]): string | undefined {
  const ran = by.filter((each) => !isFixingEdit(each)).flatMap(commandsOrWhole)
  const active = ran.filter(
    (command) => !readsOnly.has(programOf(command) ?? '') && !/^git (?:status|diff|log|show)\b/.test(command),
  )
  const [only, ...others] = active
  if (by.some(isFixingEdit) || only === undefined || others.length > 0) return undefined
  return isPlain(only) && setsUp.test(only) && !addsToManifest(only) && !harmful.test(only) ? only : undefined
}

function commandsOrWhole(line: string): readonly string[] {
  const parts = commandsIn(line)
  return parts.length === 0 ? [line] : parts
}

/** A package that is added to the project is there from now on, so the failure does not come back. */
function addsToManifest(command: string): boolean {
  const match = /\b(?:add|install|i|get|require)\b(.*)$/.exec(command)
  const packages = (match?.[1] ?? '').split(' ').filter((word) => word !== '' && !word.startsWith('-') && word !== '.')
  return match !== null && packages.length > 0 && !forMachine.test(command)
}

const forMachine =
  /^(?:go|cargo|brew|pipx|rustup|asdf|mise|nvm|uv tool|dotnet tool|gem) (?:install|target|component)\b|\bplaywright install\b|^npm (?:i|install) (?:-g|--global)\b/
const readsOnly = new Set(
  'ls cat head tail grep rg find pwd echo which type wc env ps lsof sleep cd tree stat file jq'.split(' '),
)
const setsUp =
  /\b(?:init|install|ci|login|up|start|generate|gen|codegen|build|migrate|sync|pull|setup|bootstrap|configure|restore|create|prepare|fetch|submodule|enable|select|use|compile|-B)\b/
const harmful =
  /\b(?:rm|kill|reset|push|publish|destroy|delete|drop|prune|purge|sudo|curl|wget|eval|chmod|force|--no-verify)\b|https?:|--update\b|--update-/i

/** A tool that tells what to run may be anybody's, so only programs that everybody knows are believed. */
function isTrusted(cure: string, error: string): boolean {
  return known.has(programOf(cure) ?? '') || (isKnownCommand(cure) && !error.toLowerCase().includes(cure.toLowerCase()))
}

/** Even if the error names them: such programs always say what to run. */
const known = new Set(
  'aws gcloud az docker terraform bundle bin/rails rails go cargo rustup git flutter dotnet gem composer php mix swift xcodebuild poetry prisma'.split(
    ' ',
  ),
)

function isPlain(command: string): boolean {
  return command.length <= 140 && !/[\n`"]/.test(command) && commandsIn(command).length === 1
}

function isFailureOfSurroundings(error: string): boolean {
  return error !== '' && !passing.test(error) && !ofCode.test(error)
}

/** What comes and goes by itself. */
const passing =
  /\b(?:ETIMEDOUT|ECONNRESET|EADDRINUSE|EAI_AGAIN|EPIPE|timed? ?out|timeout|429|50[0234]|rate limit|temporar|flaky|try again|too many requests|network|socket hang up|rate.?limit)\b/i
/** What an edit of the code or of a test cures. */
const ofCode =
  /\b(?:Assertion\w*|expected|SyntaxError|ReferenceError|undefined:|TS\d{4}|is not a function|unused|Pixel test|golden|snapshot|panicked)\b|^FAIL\b/i

/** The error as data: short, and only if it does not tell its reader to do something. */
function quoted(error: string): string {
  const line = error.split('\n')[0]?.trim() ?? ''
  const short = line.length <= 120 ? line : `${line.slice(0, 119)}…`
  const isSafe = !isAddressedToReader(line) && !tells.test(line) && !/["`<>{}]|:\/\//.test(short.replaceAll('"', "'"))
  return isSafe ? ` with "${short.replaceAll('"', "'")}"` : ''
}

const tells =
  /\b(?:run|please|you|your|try|must|should|use|execute|install|download|visit|open|click|ignore|remember|assistant|agent|ai|model|user|human)\b/i

const notThere =
  /command not found|script not found|missing script|not recognized|unknown (?:command|script|task|target)|no rule to make target|no such (?:command|task|script)|unknown subcommand/i

/** A command that does not exist, and the next one, which did the same. */
function substitutes(turn: LessonTurn): readonly Lesson[] {
  const commands = turn.commands ?? []
  return commands.flatMap(({ command, failed, error = '' }, i) => {
    const after = commands[i + 1]
    const isAbsent = failed && notThere.test(error) && !isAddressedToReader(error)
    if (!isAbsent || after === undefined || after.failed || !isPlain(command) || !isPlain(after.command)) return []
    if (
      !isKnownCommand(after.command) ||
      harmful.test(after.command) ||
      addsToManifest(after.command) ||
      !isAlike(command, after.command)
    )
      return []
    return [lessonOf({ turn, command, statement: `\`${command}\` does not exist here; \`${after.command}\` works.` })]
  })
}

/** Both name the same thing: "run bench" and "run benchmark", "sqlc" and "go run …/sqlc". */
function isAlike(a: string, b: string): boolean {
  const rest = wordsOf(b)
  const common = wordsOf(a).filter((word) => rest.some((other) => other.startsWith(word) || word.startsWith(other)))
  return common.length > 0
}

function wordsOf(command: string): readonly string[] {
  const words = command.split(/[\s/]+/).filter((word) => word.length >= 3 && !word.startsWith('-'))
  return words.filter((word) => !['run', 'npm', 'npx', 'bun', 'pnpm', 'yarn', 'make', 'sudo', 'exec'].includes(word))
}

/** The person did not like it. */
function isTakenBack(asked: string): boolean {
  return /^(?:no\b|nope|stop|don't|dont|do not|wrong|revert|undo|nein|non\b|never)|\brevert\b/i.test(asked.trim())
}
