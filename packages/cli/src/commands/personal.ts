/** Writes to the person's own notes, after showing the change and asking. Only a person at a terminal can confirm. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { grantPersonalWrite, readPersonal } from '@agentm/backend-vault/personal'
import { findStoreRoot } from '@agentm/selection'
import { GrantRefusedError, Locator, requireCapability } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { type Call, type Command, UsageError } from '../command.ts'
import { personSaysYes } from '../person-says-yes.ts'

export const personalWrite: Command = {
  takes: 'NOTE SOURCE',
  summary: 'write a file to your own part of the vault, after showing you the change',
  details:
    'NOTE is a path below plugins.obsidian-vault.personal_root. The command shows the present and the new text, and asks you to type a ' +
    'number that it shows on the terminal. An answer from a pipe or a file is refused.',
  async run(call) {
    const [note = '', source = ''] = call.args
    if (source === '-') throw new UsageError('SOURCE cannot be standard input, because you answer there. Name a file.')
    const reader = await call.reader()
    const { backend } = await reader.selected()
    const roots = await personalRoots(reader)
    requireCapability(backend, 'personalWrite')
    const target = new Locator(note)
    const text = await readFile(path.resolve(call.cwd, source), 'utf8').catch((error: unknown) => {
      throw new UsageError(`${source} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
    })
    const replaces = await readPersonal(target, roots)
    await ask(call, { target, text, replaces })
    const grant = grantPersonalWrite({ target, text, replaces, now: Date.now() })
    await backend.personalWrite(target, text, grant)
    return { text: `${target.key} written`, data: { key: target.key } }
  },
}

async function personalRoots(reader: WorkspaceReader) {
  const personalRoot = (await reader.settings())['plugins.obsidian-vault.personal_root']
  const storeRoot = await findStoreRoot({ world: reader.routing.selection })
  if (personalRoot === undefined || storeRoot === undefined)
    throw new UsageError(
      'plugins.obsidian-vault.personal_root is not set. Set it to the vault that contains the store: agentm config set plugins.obsidian-vault.personal_root DIR',
    )
  return { personalRoot: filePath(personalRoot), storeRoot }
}

async function ask(
  { terminal, json }: Call,
  {
    target,
    text,
    replaces,
  }: { readonly target: Locator; readonly text: string; readonly replaces: string | undefined },
): Promise<void> {
  if (!terminal.isInteractive || json)
    throw new GrantRefusedError(
      `${target.key} was not written, because nobody at a terminal confirmed it. Run the command at a terminal, without --json.`,
    )
  terminal.out(
    replaces === undefined
      ? `${terminal.bold(target.key)} does not exist yet. It would contain:\n\n${text}\n`
      : `${terminal.bold(target.key)} is now:\n\n${replaces}\n\n${terminal.bold('and would become:')}\n\n${text}\n`,
  )
  if (!(await personSaysYes(terminal, 'Write it?')))
    throw new GrantRefusedError(`${target.key} was not written, because you did not type the number.`)
}
