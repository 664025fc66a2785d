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
const beliefs = () => import('./commands/beliefs.ts')
const config = () => import('./commands/config.ts')
const repos = () => import('./commands/repos.ts')
const roster = () => import('./commands/agents.ts')
const control = () => import('./commands/plan/control.ts')
const log = () => import('./commands/log.ts')
const state = () => import('./commands/state.ts')

export const groups: readonly { readonly title: string; readonly entries: readonly TableEntry[] }[] = [
  {
    title: 'Set up and look',
    entries: [
      entry('demo', 'see it work, in a minute', async () => (await import('./commands/demo.ts')).demo),
      entry('init', 'choose where memory is kept', async () => (await import('./commands/init.ts')).init),
      entry(
        'doctor',
        'say what is selected, and what is wrong',
        async () => (await import('./commands/doctor.ts')).doctor,
      ),
      entry(
        'conflicts',
        'list copies a sync program made',
        async () => (await import('./commands/conflicts.ts')).conflicts,
      ),
      entry('config get', 'print one setting', async () => (await config()).configGet),
      entry('config set', 'change one setting', async () => (await config()).configSet),
      entry('config unset', 'remove one setting', async () => (await config()).configUnset),
      entry('config list', 'print every setting', async () => (await config()).configList),
      entry('config keys', 'what every setting is for', async () => (await config()).configKeys),
      entry('config migrate', 'rewrite settings of older versions', async () => (await config()).configMigrate),
      entry('log check', 'look for damage in the log', async () => (await log()).logCheck),
      entry('log size', 'how much the log holds', async () => (await log()).logSize),
      entry('log backup', 'copy the log while others use it', async () => (await log()).logBackup),
      entry('log restore', 'put such a copy in its place', async () => (await log()).logRestore),
      entry('log migrate', 'bring it to the version of this program', async () => (await log()).logMigrate),
      entry('log rebuild', 'build anew what is derived from it', async () => (await log()).logRebuild),
    ],
  },
  {
    title: 'This project',
    entries: [
      entry(
        'project',
        'which project this is, and where its state is',
        async () => (await import('./commands/project.ts')).project,
      ),
      entry(
        'project name',
        'give this checkout a project name',
        async () => (await import('./commands/project.ts')).projectName,
      ),
      entry(
        'project plans',
        'the plan files of this project',
        async () => (await import('./commands/project-plans.ts')).projectPlans,
      ),
      entry('state read', 'print a state file', async () => (await state()).stateRead),
      entry('state write', 'write a state file', async () => (await state()).stateWrite),
      entry('state path', 'where the plan or progress file is', async () => (await state()).statePlace),
      entry('repos list', 'the repositories this store knows', async () => (await repos()).reposList),
      entry('repos register', 'enter a repository', async () => (await repos()).reposRegister),
      entry('repos unregister', 'take a repository out', async () => (await repos()).reposUnregister),
    ],
  },
  {
    title: 'Goals',
    entries: [
      entry('do', 'plan a goal and run it here', async () => (await import('./commands/do.ts')).doGoal),
      entry('agents', 'who steps can be given to', async () => (await roster()).agents),
      entry('agents show', 'the prompt and the tools of an agent', async () => (await roster()).agentsShow),
      entry('agents retire', 'give an agent no more steps', async () => (await roster()).agentsRetire),
    ],
  },
  {
    title: 'Plans that run',
    entries: [
      entry(
        'plan new',
        'write a plan from a file of steps',
        async () => (await import('./commands/plan/plan-new.ts')).planNew,
      ),
      entry('run', 'run a plan here', async () => (await import('./commands/plan/run.ts')).run),
      entry(
        'worker',
        'run steps of all plans until stopped',
        async () => (await import('./commands/plan/worker.ts')).worker,
      ),
      entry('status', 'what every open step waits for', async () => (await import('./commands/plan/status.ts')).status),
      entry('approve', 'answer what a step asks', async () => (await import('./commands/plan/approve.ts')).approve),
      entry('pause', 'claim nothing more of a plan', async () => (await control()).pause),
      entry('resume', 'let a paused plan go on', async () => (await control()).resume),
      entry('cancel', 'end a plan and all that runs of it', async () => (await control()).cancel),
      entry('skip', 'count a step as done', async () => (await control()).skip),
      entry('erase', 'erase what one holds, for good', async () => (await import('./commands/plan/erase.ts')).erase),
      entry('retry', 'try again, or plan what is left', async () => (await import('./commands/plan/retry.ts')).retry),
      entry('trace', 'what happened to a plan', async () => (await import('./commands/plan/trace.ts')).trace),
      entry(
        'replay',
        'let a plan happen again, and compare',
        async () => (await import('./commands/plan/replay.ts')).replay,
      ),
      entry('eval', 'hold the harness to fixtures', async () => (await import('./commands/plan/eval.ts')).evaluate),
    ],
  },
  {
    title: 'Memory',
    entries: [
      entry('save', 'keep one note on purpose', async () => (await import('./commands/memory/save.ts')).save),
      entry('capture', 'put a candidate into the inbox', async () => (await notes()).capture),
      entry('inbox', 'what waits for you', async () => (await inbox()).inboxList),
      entry('inbox list', 'the same', async () => (await inbox()).inboxList),
      entry('inbox show', 'what a proposal says, and who made it', async () => (await inbox()).inboxShow),
      entry('inbox accept', 'keep a proposal as a note', async () => (await inbox()).inboxAccept),
      entry('inbox edit', 'change a proposal first', async () => (await inbox()).inboxEdit),
      entry('inbox reject', 'turn a proposal down for good', async () => (await inbox()).inboxReject),
      entry('notes', 'the notes there are, newest first', async () => (await listed()).notesList),
      entry('notes list', 'the same', async () => (await listed()).notesList),
      entry('notes show', 'what one note says', async () => (await listed()).notesShow),
      entry('recall', 'find what is remembered', async () => (await import('./commands/memory/recall.ts')).recall),
      entry('search', 'the same as recall', async () => (await import('./commands/memory/recall.ts')).recall),
      entry('forget', 'forget a note; --purge erases it', async () => (await notes()).forget),
      entry('restore', 'bring back what was forgotten', async () => (await notes()).restore),
      entry('supersede', 'put what is true now in its place', async () => (await notes()).supersede),
      entry('history', 'a note through time', async () => (await notes()).history),
      entry(
        'offer-save',
        'keep what was offered, if it is sure',
        async () => (await import('./commands/memory/save.ts')).offerSave,
      ),
      entry('lint', 'check the notes', async () => (await notes()).lint),
      entry('reindex', 'build the index anew', async () => (await notes()).reindex),
      entry(
        'consolidate',
        'learn from what happened',
        async () => (await import('./commands/consolidate.ts')).consolidate,
      ),
      entry('beliefs', 'what is believed', async () => (await beliefs()).beliefsList),
      entry('beliefs list', 'the same', async () => (await beliefs()).beliefsList),
      entry('beliefs show', 'one belief and where it comes from', async () => (await beliefs()).beliefsShow),
      entry('beliefs prune', 'forget beliefs', async () => (await beliefs()).beliefsPrune),
    ],
  },
  {
    title: 'Your own notes',
    entries: [
      entry(
        'personal write',
        'write into your part of the vault, once you say yes',
        async () => (await import('./commands/personal.ts')).personalWrite,
      ),
    ],
  },
  {
    title: 'For programs',
    entries: [
      entry(
        'hook prompt-submit',
        'what may matter for a prompt',
        async () => (await import('./commands/hook.ts')).hookPromptSubmit,
      ),
      entry(
        'hook session-start',
        'what an agent is told when a session starts',
        async () => (await import('./commands/hook.ts')).hookSessionStart,
      ),
      entry(
        'mcp',
        'serve memory to one agent over standard input and output',
        async () => (await import('./commands/mcp.ts')).mcp,
      ),
      entry(
        'serve',
        'serve memory to agents of this machine over HTTP',
        async () => (await import('./commands/serve.ts')).serve,
      ),
      entry('manual', 'all of this in full', async () => (await import('./commands/manual.ts')).manual),
      entry(
        'completion',
        'the completion script for a shell',
        async () => (await import('./commands/completion.ts')).completion,
      ),
    ],
  },
]

export const table: readonly TableEntry[] = groups.flatMap(({ entries }) => entries)

function entry(name: string, summary: string, load: () => Promise<Command>): TableEntry {
  return { name, summary, load }
}
