/** Writing into the person's own notes: shown first, asked each time, done once. Only a person at a terminal can say yes. */
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
  summary: 'write a text into your own part of the vault, after showing it to you',
  details:
    'NOTE is relative to plugins.obsidian-vault.personal_root. It shows both texts and a number on the terminal, and you type the\n' +
    'number. Input that comes from a pipe or a file is refused.',
  async run(call) {
    const [note = '', source = ''] = call.args
    if (source === '-') throw new UsageError('standard input is where you answer; give the text as a file.')
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
    throw new UsageError('set plugins.obsidian-vault.personal_root to the vault around the store first.')
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
    throw new GrantRefusedError(`${target.key} was not written: this needs a person at a terminal to say yes.`)
  terminal.out(
    replaces === undefined
      ? `${terminal.bold(target.key)} is not there yet and would be:\n\n${text}\n`
      : `${terminal.bold(target.key)} is now:\n\n${replaces}\n\n${terminal.bold('and would become:')}\n\n${text}\n`,
  )
  if (!(await personSaysYes(terminal, 'Write it?')))
    throw new GrantRefusedError(`${target.key} was not written: the number was not typed.`)
}
