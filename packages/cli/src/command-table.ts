/** Every command by its words. A command's module is loaded when it is called, so that one does not wait for the rest. */
import type { Command } from './command.ts'

export interface TableEntry {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}

const notes = () => import('./commands/memory/notes.ts')
const listed = () => import('./commands/memory/listed-notes.ts')
const inbox = () => import('./commands/memory/inbox.ts')
const learned = () => import('./commands/learned.ts')
const beliefs = () => import('./commands/beliefs.ts')
const config = () => import('./commands/config.ts')
const repos = () => import('./commands/repos.ts')
const roster = () => import('./commands/agents.ts')
const control = () => import('./commands/plan/control.ts')
const schedule = () => import('./commands/schedule/control.ts')
const log = () => import('./commands/log.ts')
const hook = () => import('./commands/hook.ts')
const hookCapture = () => import('./commands/hook-capture.ts')
const sessions = () => import('./commands/sessions.ts')
const state = () => import('./commands/state.ts')

export const groups: readonly { readonly title: string; readonly entries: readonly TableEntry[] }[] = [
  {
    title: 'Set up and check',
    entries: [
      entry('demo', 'watch a one-minute demonstration', async () => (await import('./commands/demo.ts')).demo),
      entry(
        'init',
        'choose where notes are stored, or connect an agent',
        async () => (await import('./commands/init.ts')).init,
      ),
      entry(
        'doctor',
        'check the installation and report problems',
        async () => (await import('./commands/doctor.ts')).doctor,
      ),
      entry(
        'conflicts',
        'list conflict copies that a sync program made',
        async () => (await import('./commands/conflicts.ts')).conflicts,
      ),
      entry('config get', 'print one setting', async () => (await config()).configGet),
      entry('config set', 'change one setting', async () => (await config()).configSet),
      entry('config unset', 'remove one setting', async () => (await config()).configUnset),
      entry('config list', 'print every setting in the config file', async () => (await config()).configList),
      entry('config keys', 'describe every setting', async () => (await config()).configKeys),
      entry('config migrate', 'rename settings written by older versions', async () => (await config()).configMigrate),
      entry('log check', 'check the log of plans and beliefs for damage', async () => (await log()).logCheck),
      entry('log size', 'show how large the log is', async () => (await log()).logSize),
      entry('log backup', 'back up the log while it is in use', async () => (await log()).logBackup),
      entry('log restore', 'restore the log from a backup', async () => (await log()).logRestore),
      entry(
        'log prune',
        'remove old plans and agent sessions from the log',
        async () => (await import('./commands/log-prune.ts')).logPrune,
      ),
      entry(
        'log archive',
        'move old plans and agent sessions from the log to a file',
        async () => (await import('./commands/log-archive.ts')).logArchive,
      ),
      entry('log migrate', 'upgrade the log to this version of agentm', async () => (await log()).logMigrate),
      entry('log rebuild', 'rebuild the indexes derived from the log', async () => (await log()).logRebuild),
    ],
  },
  {
    title: 'This project',
    entries: [
      entry(
        'project',
        'show the project of this directory',
        async () => (await import('./commands/project.ts')).project,
      ),
      entry(
        'project name',
        'set the project name of this checkout',
        async () => (await import('./commands/project.ts')).projectName,
      ),
      entry(
        'project plans',
        'list the plan files of this project',
        async () => (await import('./commands/project-plans.ts')).projectPlans,
      ),
      entry('state read', 'print a state file, such as PLAN.md', async () => (await state()).stateRead),
      entry('state write', 'write a state file, such as PLAN.md', async () => (await state()).stateWrite),
      entry('state path', 'print the path of the plan or progress file', async () => (await state()).statePlace),
      entry('repos list', 'list the registered repositories', async () => (await repos()).reposList),
      entry('repos register', 'register a repository', async () => (await repos()).reposRegister),
      entry('repos unregister', 'remove a repository from the registry', async () => (await repos()).reposUnregister),
    ],
  },
  {
    title: 'Goals',
    entries: [
      entry('do', 'plan a goal and run the plan here', async () => (await import('./commands/do.ts')).doGoal),
      entry('agents', 'list the agents that steps can be assigned to', async () => (await roster()).agents),
      entry('agents show', 'show the prompt and the tools of an agent', async () => (await roster()).agentsShow),
      entry('agents retire', 'stop assigning steps to an agent', async () => (await roster()).agentsRetire),
    ],
  },
  {
    title: 'Plans',
    entries: [
      entry(
        'plan new',
        'create a plan from a file of steps',
        async () => (await import('./commands/plan/plan-new.ts')).planNew,
      ),
      entry(
        'plan fork',
        'run a plan again from one of its steps, as a new plan',
        async () => (await import('./commands/plan/plan-fork.ts')).planFork,
      ),
      entry(
        'plan diff',
        'compare two plans step by step',
        async () => (await import('./commands/plan/plan-diff.ts')).planDiff,
      ),
      entry('run', 'run a plan here', async () => (await import('./commands/plan/run.ts')).run),
      entry(
        'worker',
        'run the steps of all plans until stopped',
        async () => (await import('./commands/plan/worker.ts')).worker,
      ),
      entry(
        'status',
        'show what each unfinished step waits for',
        async () => (await import('./commands/plan/status.ts')).status,
      ),
      entry(
        'approve',
        'answer a question that a step asks',
        async () => (await import('./commands/plan/approve.ts')).approve,
      ),
      entry(
        'signal',
        'send a value to a function or a step that waits for a signal',
        async () => (await import('./commands/plan/signal.ts')).signal,
      ),
      entry(
        'view',
        'show plans, notes and beliefs in a browser',
        async () => (await import('./commands/view.ts')).view,
      ),
      entry('pause', 'stop starting steps of a plan', async () => (await control()).pause),
      entry('resume', 'continue a paused plan', async () => (await control()).resume),
      entry('cancel', 'cancel a plan and its running steps', async () => (await control()).cancel),
      entry('skip', 'mark a step as done without running it', async () => (await control()).skip),
      entry(
        'erase',
        'permanently delete the content of a plan or step',
        async () => (await import('./commands/plan/erase.ts')).erase,
      ),
      entry('retry', 'retry failed steps', async () => (await import('./commands/plan/retry.ts')).retry),
      entry(
        'diff',
        'show what the steps of a plan changed, apart from your folder',
        async () => (await import('./commands/plan/diff.ts')).diff,
      ),
      entry(
        'apply',
        'bring what a plan changed into your folder',
        async () => (await import('./commands/plan/apply.ts')).apply,
      ),
      entry(
        'discard',
        'delete what a plan changed, without applying it',
        async () => (await import('./commands/plan/discard.ts')).discard,
      ),
      entry(
        'trace',
        'show what happened in a plan, in order',
        async () => (await import('./commands/plan/trace.ts')).trace,
      ),
      entry(
        'replay',
        'replay a plan without side effects, and compare',
        async () => (await import('./commands/plan/replay.ts')).replay,
      ),
      entry(
        'eval',
        'test the plan engine against recorded plans',
        async () => (await import('./commands/plan/eval.ts')).evaluate,
      ),
    ],
  },
  {
    title: 'Schedules',
    entries: [
      entry(
        'schedule add',
        'start a plan again and again, by a cron expression or an interval',
        async () => (await import('./commands/schedule/add.ts')).scheduleAdd,
      ),
      entry(
        'schedule list',
        'list the schedules and their next starts',
        async () => (await import('./commands/schedule/show.ts')).scheduleList,
      ),
      entry(
        'schedule show',
        'show what a schedule started and skipped, and its next starts',
        async () => (await import('./commands/schedule/show.ts')).scheduleShow,
      ),
      entry(
        'schedule pause',
        'make no starts until the schedule is resumed',
        async () => (await schedule()).schedulePause,
      ),
      entry('schedule resume', 'continue a paused schedule', async () => (await schedule()).scheduleResume),
      entry('schedule run', 'start the plan of a schedule now', async () => (await schedule()).scheduleRun),
      entry('schedule remove', 'make no more starts', async () => (await schedule()).scheduleRemove),
    ],
  },
  {
    title: 'Memory',
    entries: [
      entry('save', 'save a note', async () => (await import('./commands/memory/save.ts')).save),
      entry('capture', 'propose a note; it waits in the inbox', async () => (await notes()).capture),
      entry(
        'capture sessions',
        'keep what coding agents did in their sessions',
        async () => (await import('./commands/capture.ts')).captureSessions,
      ),
      entry('sessions', 'list the captured sessions', async () => (await sessions()).sessionsList),
      entry('sessions list', 'the same as sessions', async () => (await sessions()).sessionsList),
      entry('sessions show', 'show the turns of a session', async () => (await sessions()).sessionsShow),
      entry('sessions forget', 'permanently delete a session', async () => (await sessions()).sessionsForget),
      entry('inbox', 'list the proposals that wait for your decision', async () => (await inbox()).inboxList),
      entry('inbox list', 'the same as inbox', async () => (await inbox()).inboxList),
      entry('inbox show', 'show a proposal, and who made it', async () => (await inbox()).inboxShow),
      entry('inbox accept', 'save a proposal as a note', async () => (await inbox()).inboxAccept),
      entry('inbox edit', 'change a proposal before you decide', async () => (await inbox()).inboxEdit),
      entry('inbox reject', 'reject a proposal permanently', async () => (await inbox()).inboxReject),
      entry(
        'learned',
        'list what was learned from agent sessions and waits for your decision',
        async () => (await learned()).learnedList,
      ),
      entry('learned list', 'the same as learned', async () => (await learned()).learnedList),
      entry('learned show', 'show what was learned, and from where', async () => (await learned()).learnedShow),
      entry('learned accept', 'save what was learned as a note', async () => (await learned()).learnedAccept),
      entry('learned edit', 'word it anew before you decide', async () => (await learned()).learnedEdit),
      entry('learned reject', 'reject it permanently', async () => (await learned()).learnedReject),
      entry('notes', 'list the notes, newest first', async () => (await listed()).notesList),
      entry('notes list', 'the same as notes', async () => (await listed()).notesList),
      entry('notes show', 'show one note', async () => (await listed()).notesShow),
      entry(
        'recall',
        'search notes, beliefs and past work',
        async () => (await import('./commands/memory/recall.ts')).recall,
      ),
      entry(
        'recall tune',
        'measure an embedder on your own notes, and use it',
        async () => (await import('./commands/memory/recall-tune.ts')).recallTune,
      ),
      entry('search', 'the same as recall', async () => (await import('./commands/memory/recall.ts')).recall),
      entry('forget', 'forget a note; --purge deletes its text', async () => (await notes()).forget),
      entry('restore', 'restore a forgotten note', async () => (await notes()).restore),
      entry('supersede', 'replace a note that is no longer true', async () => (await notes()).supersede),
      entry('history', 'show every version of a note', async () => (await notes()).history),
      entry(
        'offer-save',
        'save a note if its confidence is high enough',
        async () => (await import('./commands/memory/save.ts')).offerSave,
      ),
      entry(
        'eval recall',
        'measure how well recall finds labelled notes',
        async () => (await import('./commands/memory/eval-recall.ts')).evalRecall,
      ),
      entry(
        'import',
        'import notes from another program, after showing what would be imported',
        async () => (await import('./commands/import.ts')).importNotes,
      ),
      entry(
        'export',
        'write all notes and beliefs into a folder',
        async () => (await import('./commands/export.ts')).exportNotes,
      ),
      entry('lint', 'check the notes for mistakes', async () => (await notes()).lint),
      entry('reindex', 'rebuild the search index', async () => (await notes()).reindex),
      entry(
        'consolidate',
        'derive beliefs from past work',
        async () => (await import('./commands/consolidate.ts')).consolidate,
      ),
      entry('beliefs', 'list the beliefs learned from past work', async () => (await beliefs()).beliefsList),
      entry('beliefs list', 'the same as beliefs', async () => (await beliefs()).beliefsList),
      entry('beliefs show', 'show one belief and its sources', async () => (await beliefs()).beliefsShow),
      entry('beliefs confirm', 'confirm that beliefs are true', async () => (await beliefs()).beliefsConfirm),
      entry('beliefs correct', 'word a belief anew', async () => (await beliefs()).beliefsCorrect),
      entry('beliefs prune', 'forget beliefs', async () => (await beliefs()).beliefsPrune),
    ],
  },
  {
    title: 'Your personal notes',
    entries: [
      entry(
        'personal write',
        'write to your own part of the vault, after you confirm',
        async () => (await import('./commands/personal.ts')).personalWrite,
      ),
    ],
  },
  {
    title: 'For agents, scripts and shells',
    entries: [
      entry(
        'hook pre-compact',
        'capture a session before its context is shortened',
        async () => (await hookCapture()).hookPreCompact,
      ),
      entry(
        'hook prompt-submit',
        'print notes that may help with a prompt',
        async () => (await hook()).hookPromptSubmit,
      ),
      entry('hook session-end', 'capture a session that ends', async () => (await hookCapture()).hookSessionEnd),
      entry(
        'hook session-start',
        'print what an agent should know when a session starts',
        async () => (await hook()).hookSessionStart,
      ),
      entry('hook stop', 'capture what an agent has just done', async () => (await hookCapture()).hookStop),
      entry(
        'hook subagent-stop',
        'capture what a sub-agent has just done',
        async () => (await hookCapture()).hookSubagentStop,
      ),
      entry(
        'mcp',
        'serve memory to one agent over standard input and output (MCP)',
        async () => (await import('./commands/mcp.ts')).mcp,
      ),
      entry(
        'serve',
        'serve memory to the agents on this machine over HTTP (MCP)',
        async () => (await import('./commands/serve.ts')).serve,
      ),
      entry(
        'manual',
        'print the full manual of every command',
        async () => (await import('./commands/manual.ts')).manual,
      ),
      entry(
        'completion',
        'print a completion script for your shell',
        async () => (await import('./commands/completion.ts')).completion,
      ),
      entry(
        'complete',
        'print completions of a command line, for those scripts',
        async () => (await import('./commands/complete.ts')).complete,
      ),
    ],
  },
]

export const table: readonly TableEntry[] = groups.flatMap(({ entries }) => entries)

function entry(name: string, summary: string, load: () => Promise<Command>): TableEntry {
  return { name, summary, load }
}
