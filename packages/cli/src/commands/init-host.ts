/**
 * Connects a coding agent, or disconnects it: says which files change and how, and changes them. Every file is read before the first
 * one is written, so that a file that cannot be changed stops all of it.
 */
import { lstat, realpath, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { lockRootOf, processWorld, readTextFile } from '@agentm/selection'
import { atomicWrite, type FilePath, filePath, vaultMutex } from '@agentm/vault-lock'
import { type Answer, type Call, UsageError } from '../command.ts'
import { changeHostFile, type Direction } from '../hosts/change-host-file.ts'
import { type Edited, HostConfigError, type HostFile } from '../hosts/host-file.ts'
import { type Host, hosts, type HostWorld } from '../hosts/hosts.ts'
import { changeText, keptText } from '../hosts/pure/change-text.ts'
import { installedCommand } from '../installed-command.ts'
import { typed } from '../typed.ts'

export async function initHost(name: string, call: Call): Promise<Answer> {
  const host = hosts.find((each) => each.name === name)
  if (host === undefined)
    throw new UsageError(`there is no host "${name}". Choose from: ${hosts.map((each) => each.name).join(', ')}.`)
  const selection = processWorld()
  const world: HostWorld = { cwd: call.cwd, home: selection.home, env: call.env, platform: process.platform }
  const direction = call.has('remove') ? 'disconnect' : 'connect'
  const plans = await Promise.all(host.files(world).map((file) => planned(file, direction)))
  const isDry = call.has('dry-run')
  const changing = plans.filter(({ before, edited }) => edited.text !== before)
  if (!isDry && changing.length > 0) {
    if (!call.json) call.terminal.say(`${planText(plans, world)}\n`)
    for (const { file } of changing) await change(file, { direction, world, lockRoot: lockRootOf(selection) })
  }
  return answer({ host, world, direction, plans, isDry })
}

interface Plan {
  readonly file: HostFile
  readonly before: string | undefined
  readonly edited: Edited
}

async function planned(file: HostFile, direction: Direction): Promise<Plan> {
  const before = await textOf(filePath(file.path))
  return { file, before, edited: after(before, file, direction) }
}

function after(before: string | undefined, file: HostFile, direction: Direction): Edited {
  try {
    return changeHostFile(before, file, direction)
  } catch (error) {
    // By its code: the bundle leaves out what loads packages of others, and with it this class is there twice.
    if (!isHostConfig(error)) throw error
    const byHand =
      direction === 'connect' ? `Add this by hand:\n${additionTo(file)}` : 'Remove what mentions agentm by hand.'
    throw new HostConfigError(`${file.path} ${error.message}, so nothing was changed. ${byHand}`, {
      cause: error.cause,
    })
  }
}

function isHostConfig(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'HOST_CONFIG'
}

/** What a file would hold that holds nothing else. */
function additionTo(file: HostFile): string {
  return (changeHostFile(undefined, file, 'connect').text ?? '').trimEnd()
}

interface Changing {
  readonly direction: Direction
  readonly world: HostWorld
  readonly lockRoot: FilePath
}

/** Reads once more, because another program may have written meanwhile. */
async function change(file: HostFile, { direction, world, lockRoot }: Changing): Promise<void> {
  const place = filePath(file.path)
  await vaultMutex(
    place,
    async (hold) => {
      const before = await textOf(place)
      const { text } = after(before, file, direction)
      if (text === before) return
      const isLink = (await lstat(place).catch(() => undefined))?.isSymbolicLink() === true
      if (text !== undefined) await atomicWrite(isLink ? await behind(place) : place, text, { hold })
      else if (isLink) await atomicWrite(await behind(place), file.format === 'json' ? '{}\n' : '', { hold })
      else {
        await hold.check()
        await removed(place, world)
      }
    },
    { lockRoot },
  )
}

/** A configuration file that is a symbolic link is changed at its target, and stays. */
async function behind(place: FilePath): Promise<FilePath> {
  return (await realpath(place)) as FilePath
}

/** Directories of the checkout that held nothing but ours go too. */
async function removed(place: FilePath, { cwd }: HostWorld): Promise<void> {
  await rm(place)
  for (let above = path.dirname(place); above.startsWith(`${cwd}${path.sep}`); above = path.dirname(above))
    if (
      !(await rmdir(above).then(
        () => true,
        () => false,
      ))
    )
      return
}

async function textOf(file: FilePath): Promise<string | undefined> {
  const found = await readTextFile(file)
  if (found.kind === 'unreadable') throw new HostConfigError(`${file} ${found.why}.`, { cause: found.cause })
  return found.kind === 'text' ? found.text : undefined
}

interface Done {
  readonly host: Host
  readonly world: HostWorld
  readonly direction: Direction
  readonly plans: readonly Plan[]
  readonly isDry: boolean
}

function answer(done: Done): Answer {
  const { host, direction, plans, isDry, world } = done
  return {
    text: textFor(done),
    data: {
      host: host.name,
      outcome: isDry
        ? 'planned'
        : plans.every(isUnchanged)
          ? 'unchanged'
          : direction === 'connect'
            ? 'connected'
            : 'removed',
      files: plans.map((plan) => ({
        file: plan.file.path,
        change: changeOf(plan),
        steps: plan.edited.steps,
        ...(isDry && direction === 'connect' && { addition: additionTo(plan.file) }),
      })),
    },
    notices: [...kept(plans), ...(direction === 'connect' ? [...host.notices, ...withoutInstallation(world)] : [])],
  }
}

function textFor({ host: { name }, world, direction, plans, isDry }: Done): string {
  const undo = typed(`To undo this: agentm init --host ${name} --remove`)
  if (plans.every(isUnchanged))
    return direction === 'connect'
      ? `${name} is already connected. Nothing was changed. ${undo}`
      : `Nothing of agentm was found in the files of ${name} that could be removed.`
  if (!isDry)
    return direction === 'connect'
      ? `Connected ${name}. Restart ${name}, so that it reads its files again. ${undo}`
      : `Disconnected ${name}. Your notes are kept.`
  const shown = plans
    .filter((plan) => !isUnchanged(plan))
    .map(({ file }) => `${shortened(file, world)}:\n${additionTo(file)}`)
  return [planText(plans, world), 'Nothing was changed.', ...(direction === 'connect' ? ['', ...shown] : [])].join('\n')
}

function planText(plans: readonly Plan[], world: HostWorld): string {
  const rows = plans.filter((plan) => !isUnchanged(plan))
  const width = Math.max(...rows.map(({ file }) => shortened(file, world).length))
  return rows.map((plan) => `  ${shortened(plan.file, world).padEnd(width)}  ${rowText(plan)}`).join('\n')
}

function rowText(plan: Plan): string {
  const whole = { created: ' (a new file)', deleted: ' (and the file, which holds nothing else)' }
  const what = changeOf(plan)
  return `${changeText(plan.edited.steps)}${what === 'created' || what === 'deleted' ? whole[what] : ''}`
}

function changeOf({ before, edited: { text } }: Plan): 'none' | 'created' | 'changed' | 'deleted' {
  if (text === before) return 'none'
  if (before === undefined) return 'created'
  return text === undefined ? 'deleted' : 'changed'
}

function isUnchanged(plan: Plan): boolean {
  return changeOf(plan) === 'none'
}

/** A file of the project by its name in it; a file of the person whole. */
function shortened({ path: place }: HostFile, { cwd }: HostWorld): string {
  return place.startsWith(`${cwd}${path.sep}`) ? path.relative(cwd, place) : place
}

function kept(plans: readonly Plan[]): readonly string[] {
  return plans.flatMap(({ file, edited: { steps } }) => {
    const what = keptText(steps)
    return what === '' ? [] : [`In ${file.path}, somebody has changed ${what}, so it was left as it is.`]
  })
}

function withoutInstallation(world: HostWorld): readonly string[] {
  if (installedCommand(world) !== undefined) return []
  return [
    'agentm is not installed here, so npx starts it, which takes about a second each time. To install it: npm install --global @agentm/cli. Then type this command again.',
  ]
}
