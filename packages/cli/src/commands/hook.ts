/**
 * What a coding agent is told when a session starts: where the plan and the progress of this project are. It speaks in
 * time or not at all, and never fails a session.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findActiveBinding,
  findRepo,
  harnessStateDir,
  listPlanFiles,
  type Project,
  type RoutingWorld,
  statePath,
} from '@agentm/routing/reader'
import { findProject, routingWorld } from '@agentm/workspace/reader'
import type { Answer, Call, Command } from '../command.ts'

const limitMs = 500
const heading = '[agentm] Project state for this repo lives in .harness/:'
const silent: Answer = { text: '', data: {} }

export const hookSessionStart: Command = {
  summary: 'what an agent is told at the start of a session',
  details: 'Reads the hook input of Claude Code from standard input: {"cwd": "…"}. Exit code 0, always.',
  async run(call) {
    const late = sleep(limitMs, silent, { ref: false })
    try {
      return await Promise.race([sessionStart(call), late])
    } catch {
      // A broken marker or store is what `agentm doctor` is for; a session starts all the same.
      return { text: '[agentm] Something is wrong with this project: run agentm doctor.', data: {} }
    }
  },
}

async function sessionStart(call: Call): Promise<Answer> {
  const directory = await directoryFrom(call)
  const world = await routingWorld()
  const project = await findProject(directory, world)
  const lines = [...(await stateLines(project, world)), ...refusalLines(project)]
  const told = lines.length > 0 ? lines : await nudge(project)
  return { text: told.join('\n'), data: { lines: told } }
}

async function directoryFrom({ cwd, terminal }: Call): Promise<string> {
  if (process.stdin.isTTY) return cwd
  const input = await terminal.readInput()
  if (input.trim() === '') return cwd
  const hook: unknown = JSON.parse(input)
  return typeof hook === 'object' && hook !== null && 'cwd' in hook && typeof hook.cwd === 'string' ? hook.cwd : cwd
}

async function stateLines(project: Project, world: RoutingWorld): Promise<string[]> {
  const plans = await listPlanFiles(project)
  const home = path.dirname(await statePath(project, { which: 'plan', plan: '' }, world))
  const named = plans.filter((name) => name !== 'PLAN.md')
  if (named.length > 0) return namedPlanLines(project, { plans, home })
  const { backend, locator } = harnessStateDir(project)
  const present = await Promise.all(['PLAN.md', 'progress.md'].map((name) => backend.exists(locator.child(name))))
  if (!present.includes(true)) return []
  return [
    heading,
    ...(present[0] === true ? [`  PLAN.md:     ${path.join(home, 'PLAN.md')}`] : []),
    ...(present[1] === true ? [`  progress.md: ${path.join(home, 'progress.md')}`] : []),
    'Read PLAN.md before answering plan-status questions or running /work, /review, /release.',
  ]
}

async function namedPlanLines(
  project: Project,
  { plans, home }: { readonly plans: readonly string[]; readonly home: string },
): Promise<string[]> {
  return [
    heading,
    'Named-plan mode - this repo has more than one active plan:',
    ...plans.map((name) => `  ${name.padEnd(22)} ${path.join(home, name)}`),
    ...bindingLine(await findActiveBinding(project), { plans, home }),
    'Read the plan you own before answering plan-status questions or running /work, /review, /release.',
  ]
}

function bindingLine(
  raw: string | undefined,
  { plans, home }: { readonly plans: readonly string[]; readonly home: string },
): string[] {
  if (raw === undefined) return []
  const name = `PLAN-${raw.replace(/\.md$/, '').replace(/^PLAN-/, '')}.md`
  const bound = `Active plan (.harness/active-plan -> ${raw})`
  return [
    plans.includes(name) ? `${bound}: ${path.join(home, name)}` : `${bound}: DANGLING - ${name} not found; run doctor.`,
  ]
}

/** What keeps this project from being written belongs in front of the one who is about to work on it. */
function refusalLines(project: Project): string[] {
  const { refusal } = harnessStateDir(project)
  return refusal === undefined ? [] : [`[agentm] State cannot be written here: ${refusal.message}`]
}

async function nudge({ slug, backend, projectRoot, registers }: Project): Promise<string[]> {
  if (slug === undefined || backend === undefined || !registers || !existsSync(path.join(projectRoot, '.git')))
    return []
  if ((await findRepo(backend, slug)) !== undefined) return []
  return [`[agentm] ${slug} is not registered yet: agentm repos register enters it.`]
}
