/** Eight steps on one repository, in real worker processes. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { applyPlan } from '@agentm/harness/trees'
import { expect, onTestFinished } from 'vitest'
import { openCrew } from '../../../tools/trees-crew.mjs'

export async function crewForThisTest(options: Parameters<typeof openCrew>[1] = {}) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'agentm-crew-'))
  const crew = await openCrew(scratch, options)
  onTestFinished(async () => {
    await crew.close()
    rmSync(scratch, { recursive: true, force: true })
  })
  return crew
}

export type Crew = Awaited<ReturnType<typeof crewForThisTest>>

/** The user's tree is as it was when the plan was made. */
export function expectUntouched({ git, folder }: Crew): void {
  expect(git('status', '--porcelain')).toBe('')
  expect(readdirSync(folder).toSorted()).toEqual(['.git', 'check.mjs', 'list.txt'])
}

/** Applies, and expects every edit, in order, and nothing that is left over. */
export async function expectWhole(
  { git, folder, root }: Crew,
  { place }: Awaited<ReturnType<Crew['plan']>>,
): Promise<void> {
  if (place === undefined) throw new Error('the plan has no trees')
  const { files } = await applyPlan(place, { branch: 'result' })
  expect(files.map((file) => file.path)).toEqual(['list.txt', ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `part${n}.txt`)])
  expect(git('log', '--format=%s', 'main..result').trim().split('\n')).toEqual(
    [8, 7, 6, 5, 4, 3, 2, 1].map((n) => `part ${n}`),
  )
  git('checkout', '-q', 'result')
  execFileSync(process.execPath, ['check.mjs'], { cwd: folder })
  expect(git('for-each-ref', 'refs/agentm', 'refs/agentm-lock', 'refs/heads/agentm')).toBe('')
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(existsSync(path.join(folder, '.git/index.lock'))).toBe(false)
  git('fsck', '--no-dangling')
  expect(readdirSync(root)).toEqual(['device'])
}
