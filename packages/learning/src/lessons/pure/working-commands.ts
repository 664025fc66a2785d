/**
 * Commands that work in this project: they passed in two agent sessions, or in three turns of one. Commands that only look around,
 * that concern one file, that remove or publish something, or that were seen to fail for no reason, are left out.
 */
import type { Lesson, LessonTurn } from './lesson.ts'
import { commandsIn, programOf } from './program.ts'
import { isKnownCommand } from './tools.ts'

const enough = { sessions: 2, turns: 3 }
/** A command that still fails every other time proves nothing. */
const leastPassed = 0.6

export function workingCommands(turns: readonly LessonTurn[]): readonly Lesson[] {
  const passed = new Map<string, LessonTurn[]>()
  const failed = new Map<string, number>()
  const last = new Map<string, boolean>()
  for (const turn of turns)
    for (const { command, failed: isFailed } of turn.commands ?? [])
      for (const each of commandsIn(command)) {
        last.set(each, !isFailed)
        if (isFailed) failed.set(each, (failed.get(each) ?? 0) + 1)
        else passed.set(each, [...(passed.get(each) ?? []), turn])
      }
  return [...passed].flatMap(([command, runs]) => {
    const share = runs.length / (runs.length + (failed.get(command) ?? 0))
    const isKnown = isSeenOften(runs) && share >= leastPassed && last.get(command) === true
    return isKnown && isWorthKeeping(command) ? [lessonOf(command, runs)] : []
  })
}

function isSeenOften(runs: readonly LessonTurn[]): boolean {
  const sessions = new Set(runs.map(({ session }) => session)).size
  return sessions >= enough.sessions || new Set(runs.map(({ id }) => id)).size >= enough.turns
}

const mostCharacters = 120

function isWorthKeeping(command: string): boolean {
  const [, ...words] = command.split(' ')
  const program = programOf(command) ?? ''
  return (
    command.length <= mostCharacters &&
    (words.length > 0 || standsAlone.test(command)) &&
    isKnownCommand(command) &&
    !lookingAround.has(program.split('/').at(-1) ?? '') &&
    !harmful.test(command) &&
    !changesManifest.test(command) &&
    !words.some(isParticular)
  )
}

/** A program that does its work without arguments. */
const standsAlone = /(?:test|spec|unit|lint|check|tox|nox|make|mypy|ruff|stan|cop|just)$/i

/** One file, one test, one process, one place outside of the project. */
function isParticular(word: string): boolean {
  if (/^(?:\.|\.\/\.\.\.|\.\/?|\*)$/.test(word)) return false
  return (
    /\.[a-z]{1,5}$/i.test(word) ||
    /^(?:~|\/|\.\.)/.test(word) ||
    /^\d{3,}$/.test(word) ||
    /["'$*{}<>\\]|:\/\//.test(word) ||
    /^(?:src|test|tests|spec|lib|e2e|cmd|app)\//.test(word) ||
    /^\.\/\w/.test(word) ||
    /^-t$|^--grep|^-k$|^--filter/.test(word)
  )
}

const lookingAround = new Set(
  'ls cat bat less more head tail grep rg ag find fd cd pwd echo printf sed awk sort uniq wc which whereis type file stat tree git gh hg rm mv cp mkdir touch ln chmod chown kill pkill killall ps top lsof netstat ss curl wget ssh scp rsync du df env export source . time date sleep open xdg-open code vim nano man history diff patch xargs tee true false test nvm fnm asdf clear sudo su apt apt-get brew psql mysql sqlite3 redis-cli base64 openssl jq'.split(
    ' ',
  ),
)
const harmful =
  /\b(?:apply|destroy|drop|delete|remove|reset|rm|push|publish|kill|prune|purge|truncate|uninstall|login|logout|release|--force|-f|-auto-approve|--yes|--no-verify|--update-\w+|--fix-all|legacy-peer-deps)\b|--update\b/i
const changesManifest = /\b(?:install|add|i|get|require)\b/
function lessonOf(command: string, runs: readonly LessonTurn[]): Lesson {
  return {
    kind: 'command',
    belief: 'fact',
    statement: `The command \`${command}\` works here.`,
    subject: `command ${command}`,
    confidence: 0.55,
    from: runs,
  }
}
