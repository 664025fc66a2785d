import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Question } from '@agentm/agent-loop'
import { describe, expect, it } from 'vitest'
import { applyPlan, diffPlan, discardPlan } from '../../src/trees/index.ts'
import { TreeWorld, writes } from './tree-world.ts'

const patience = { timeout: 30_000 }

/** A check that these files are there. */
const existing = (...names: readonly string[]) => ({
  commands: names.map((name) => ({ command: process.execPath, args: ['-e', isThere, name] })),
})
const isThere = "process.exit(require('fs').existsSync(process.argv[1]) ? 0 : 1)"

describe('steps that work apart', patience, () => {
  it('leave the folder as it was until their plan is applied, and then bring every file', async () => {
    const world = new TreeWorld()
    world.write('kept.txt', 'kept\n')
    world.write('gone.txt', 'gone\n')
    const head = world.commit()
    await world.worker()
    const { planId, place } = await world.plan({
      one: { act: writes('one.txt', '1\n') },
      two: { act: (directory) => rmSync(path.join(directory, 'gone.txt')) },
      three: { act: writes('deep/er/three.sh', '3\n') },
    })
    await world.done(planId)
    expect(world.git('status', '--porcelain')).toBe('')
    expect(readdirSync(world.folder).toSorted()).toEqual(['.git', 'gone.txt', 'kept.txt'])
    const { files } = await applyPlan(place)
    expect(files.map((file) => file.path).toSorted()).toEqual(['deep/er/three.sh', 'gone.txt', 'one.txt'])
    expect([
      world.read('one.txt'),
      world.read('deep/er/three.sh'),
      existsSync(path.join(world.folder, 'gone.txt')),
    ]).toEqual(['1\n', '3\n', false])
    expect(world.git('rev-parse', 'HEAD').trim()).toBe(head)
    expect(world.git('for-each-ref', 'refs/agentm', 'refs/heads/agentm').trim()).toBe('')
    expect(world.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    expect(readdirSync(world.root)).toEqual(['device'])
  })

  it('start from the merged results of the steps they depend on', async () => {
    const world = new TreeWorld()
    world.write('a.txt', 'a\n')
    world.commit()
    await world.worker()
    let seen: readonly string[] = []
    const { planId, place } = await world.plan({
      left: { act: writes('left.txt', 'left\n') },
      right: { act: writes('right.txt', 'right\n') },
      apart: { act: writes('apart.txt', 'apart\n') },
      both: {
        dependsOn: ['left', 'right'],
        act: (directory) => {
          seen = readdirSync(directory).toSorted()
          writeFileSync(path.join(directory, 'left.txt'), 'changed after left\n')
        },
      },
    })
    await world.done(planId)
    expect(seen).toEqual(['.git', 'a.txt', 'left.txt', 'right.txt'])
    await applyPlan(place)
    expect(world.read('left.txt')).toBe('changed after left\n')
    expect(readdirSync(world.folder).toSorted()).toEqual(['.git', 'a.txt', 'apart.txt', 'left.txt', 'right.txt'])
  })

  it('are checked together, in the merged result', async () => {
    const world = new TreeWorld()
    world.write('a.txt', 'a\n')
    world.commit()
    await world.worker()
    const steps = { left: { act: writes('left.txt', 'l\n') }, right: { act: writes('right.txt', 'r\n') } }
    const passing = await world.plan(steps, { check: existing('a.txt', 'left.txt', 'right.txt') })
    await world.done(passing.planId)
    const failing = await world.plan(steps, { check: existing('left.txt', 'neither.txt') })
    expect((await world.world.ended(failing.planId)).payload.status).toBe('failed')
  })

  it('record what they changed: commits, lines and the text without secrets', async () => {
    const world = new TreeWorld()
    world.write('a.txt', 'a\nb\n')
    const head = world.commit()
    await world.worker()
    const key = `sk-ant-api03-${'a1B2'.repeat(24)}`
    const { planId, place, steps } = await world.plan({ one: { act: writes('a.txt', `a\nc\n${key}\n`) } })
    await world.done(planId)
    const { nodes } = await world.world.store.log.scan({
      owner: 'ada',
      related: { field: 'planId', to: planId },
      concepts: ['v1:harness:observation'],
    })
    const [change] = nodes.flatMap(
      ({ payload }) => (payload['data'] as { change?: { readonly diff: string } } | undefined)?.change ?? [],
    )
    expect(change).toMatchObject({ base: head, files: [{ path: 'a.txt', added: 2, removed: 1 }] })
    expect(change?.diff).toContain('+c')
    expect(JSON.stringify(change)).not.toContain(key)
    const range = { log: world.world.store.log, owner: 'ada' }
    expect((await diffPlan(place, { ...range, stepId: steps['one'] ?? '' })).from).toBe('trees')
    await discardPlan(place)
    expect(await diffPlan(place, range)).toMatchObject({ from: 'log', files: [{ path: 'a.txt' }] })
  })

  it('share a tree by name, one after the other', async () => {
    const world = new TreeWorld()
    world.write('a.txt', 'a\n')
    world.commit()
    await world.worker()
    const places: string[] = []
    const adds = (line: string) => (directory: string) => {
      places.push(directory)
      writeFileSync(path.join(directory, 'a.txt'), `${readFileSync(path.join(directory, 'a.txt'), 'utf8')}${line}\n`)
    }
    const { planId, place } = await world.plan({
      one: { act: adds('one'), tree: 'parser' },
      two: { act: adds('two'), tree: 'parser', dependsOn: ['one'] },
    })
    await world.done(planId)
    expect(new Set(places).size).toBe(1)
    await applyPlan(place)
    expect(world.read('a.txt')).toBe('a\none\ntwo\n')
  })

  it('see uncommitted changes unless asked not to, and bring only their own', async () => {
    const world = new TreeWorld()
    world.write('a.txt', 'a\n')
    world.write('b.txt', 'b\n')
    world.commit()
    world.write('a.txt', 'mine\n')
    world.write('new.txt', 'untracked\n')
    expect((await world.trees.plan(world.folder, { committed: true })).uncommitted).toEqual(['a.txt', 'new.txt'])
    await world.worker()
    const index = readFileSync(path.join(world.folder, '.git/index'))
    const without = await world.plan(
      {
        look: {
          act: (directory) => {
            expect(readdirSync(directory)).not.toContain('new.txt')
          },
        },
      },
      { committed: true },
    )
    await world.done(without.planId)
    const { planId, place } = await world.plan({
      more: {
        act: (directory) =>
          writeFileSync(path.join(directory, 'a.txt'), `${readFileSync(path.join(directory, 'a.txt'), 'utf8')}more\n`),
      },
    })
    await world.done(planId)
    expect(readFileSync(path.join(world.folder, '.git/index'))).toEqual(index)
    expect(world.git('status', '--porcelain')).toBe(' M a.txt\n?? new.txt\n')
    await applyPlan(place)
    expect([world.read('a.txt'), world.read('new.txt')]).toEqual(['mine\nmore\n', 'untracked\n'])
  })

  it('find node_modules by a link if the package files are equal, and never commit it', async () => {
    const world = new TreeWorld()
    world.write('.gitignore', 'node_modules/\n')
    world.write('package.json', '{}\n')
    world.write('node_modules/dep/index.js', 'module.exports = 1\n')
    world.commit()
    await world.worker()
    let found = ''
    const { planId, place } = await world.plan({
      use: {
        act: (directory) => {
          found = readFileSync(path.join(directory, 'node_modules/dep/index.js'), 'utf8')
          writeFileSync(path.join(directory, 'out.txt'), found)
        },
      },
    })
    await world.done(planId)
    expect(found).toContain('exports')
    expect((await applyPlan(place)).files.map((file) => file.path)).toEqual(['out.txt'])
    world.write('package.json', '{"name":"other"}\n')
    const other = await world.plan(
      {
        look: {
          act: (directory) => {
            expect(existsSync(path.join(directory, 'node_modules'))).toBe(false)
          },
        },
      },
      { committed: true },
    )
    await world.done(other.planId)
  })

  it('work in a snapshot of a folder that is no repository', async () => {
    const world = new TreeWorld({ git: false })
    world.write('a.txt', 'a\r\n')
    world.write('node_modules/x.js', 'x')
    await world.worker()
    const { planId, place } = await world.plan({
      one: { act: writes('a.txt', 'b\r\n') },
      two: { act: writes('c.txt', 'c\n') },
    })
    await world.done(planId)
    expect(readdirSync(world.folder).toSorted()).toEqual(['a.txt', 'node_modules'])
    await applyPlan(place)
    expect([world.read('a.txt'), world.read('c.txt')]).toEqual(['b\r\n', 'c\n'])
    expect(readdirSync(world.folder).toSorted()).toEqual(['a.txt', 'c.txt', 'node_modules'])
  })

  it('are committed without the configuration that a program of the step may have put there', async () => {
    const world = new TreeWorld()
    world.write('a.txt', 'a\n')
    world.commit()
    await world.worker()
    const told = path.join(world.home, 'told')
    const { planId, place } = await world.plan({
      one: {
        act: (directory) => {
          rmSync(path.join(directory, '.git'))
          execFileSync('git', ['init', '-q'], { cwd: directory })
          execFileSync('git', ['config', 'filter.bad.clean', `touch ${told}; cat`], { cwd: directory })
          writeFileSync(path.join(directory, '.gitattributes'), '* filter=bad\n')
          writeFileSync(path.join(directory, 'a.txt'), 'b\n')
        },
      },
    })
    await world.done(planId)
    expect(existsSync(told)).toBe(false)
    expect((await applyPlan(place)).files.map((file) => file.path)).toEqual(['.gitattributes', 'a.txt'])
  })

  it('are refused for a folder whose snapshot would be too large, or that has repositories inside', async () => {
    const world = new TreeWorld({ git: false, maxSnapshotBytes: 1000 })
    world.write('big.bin', 'x'.repeat(2000))
    await expect(world.trees.plan(world.folder)).rejects.toMatchObject({ code: 'TREES_REFUSED' })
    const other = new TreeWorld({ git: false })
    mkdirSync(path.join(other.folder, 'inner'))
    other.write('inner/a.txt', 'a')
    execFileSync('sh', ['-c', 'git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm a'], {
      cwd: path.join(other.folder, 'inner'),
    })
    await expect(other.trees.plan(other.folder)).rejects.toThrow(/inner/)
  })
})

describe('a conflict between steps', patience, () => {
  const twoEdits = { one: { act: writes('a.txt', 'one\n') }, two: { act: writes('a.txt', 'two\n') } }

  async function asked() {
    const world = new TreeWorld()
    world.write('a.txt', 'a\n')
    world.commit()
    await world.worker()
    const made = await world.plan(twoEdits)
    const question = await asks(world, made.planId)
    const answer = (value: string) =>
      world.world.harness.answer(made.steps['merge'] ?? '', { questionId: question.id, value, actor: 'ada' })
    return { world, ...made, question, answer }
  }

  it('is a question that names the file, and the answer is what everybody merges', async () => {
    const { world, planId, place, question, answer } = await asked()
    expect(question.text).toContain('a.txt')
    const where = /are in (\S+),/.exec(question.text)?.[1] ?? ''
    expect(readFileSync(path.join(where, 'a.txt'), 'utf8')).toContain('<<<<<<<')
    writeFileSync(path.join(where, 'a.txt'), 'both\n')
    await answer('resolved')
    await world.done(planId)
    await applyPlan(place)
    expect(world.read('a.txt')).toBe('both\n')
  })

  it('is asked about again while the files have conflict marks', async () => {
    const { world, planId, answer, question } = await asked()
    await answer('resolved')
    await asks(world, planId, question.id)
    expect(world.read('a.txt')).toBe('a\n')
  })

  it('can leave out the later step', async () => {
    const { world, planId, place, answer } = await asked()
    await answer('leave-out')
    await world.done(planId)
    await applyPlan(place)
    expect(world.read('a.txt')).toBe('one\n')
  })
})

describe('apply', patience, () => {
  it('refuses to overwrite uncommitted changes, and names the files', async () => {
    const world = new TreeWorld()
    const { place } = await planned(world)
    world.write('a.txt', 'mine\n')
    await expect(applyPlan(place)).rejects.toThrow(/not committed: a\.txt\./)
    expect([world.read('a.txt'), world.read('b.txt').includes('seven')]).toEqual(['mine\n', false])
    world.git('checkout', '-q', 'a.txt')
    await applyPlan(place)
    expect(world.read('a.txt')).toBe('theirs\n')
  })

  it('merges with commits that were made since, and refuses what does not fit', async () => {
    const world = new TreeWorld()
    const { place } = await planned(world)
    world.write('b.txt', 'one\n2\n3\n4\n5\n6\n7\n')
    world.write('a.txt', 'mine\n')
    world.commit()
    await expect(applyPlan(place)).rejects.toThrow(/a\.txt/)
    expect(world.read('b.txt')).toBe('one\n2\n3\n4\n5\n6\n7\n')
    world.write('a.txt', 'a\n')
    world.commit()
    await applyPlan(place)
    expect(world.read('b.txt')).toBe('one\n2\n3\n4\n5\n6\nseven\n')
  })

  it('refuses to write through a link out of the folder', async () => {
    const world = new TreeWorld()
    world.write('a.txt', 'a\n')
    world.commit()
    await world.worker()
    const { planId, place } = await world.plan({ one: { act: writes('dir/x.txt', 'x\n') } })
    await world.done(planId)
    const outside = path.join(world.home, 'outside')
    mkdirSync(outside)
    symlinkSync(outside, path.join(world.folder, 'dir'))
    await expect(applyPlan(place)).rejects.toMatchObject({ code: 'TREES_REFUSED' })
    expect(readdirSync(outside)).toEqual([])
  })

  it('leaves a branch with one commit for each step, if asked', async () => {
    const world = new TreeWorld()
    const { place } = await planned(world)
    const { branch } = await applyPlan(place, { branch: 'result' })
    expect(branch).toBe('result')
    expect(world.git('log', '--format=%s', 'main..result').trim().split('\n')).toEqual(['two', 'one'])
    expect(world.read('a.txt')).toBe('a\n')
  })
})

/** Once the merge step asks; with `other`, something else than that. */
async function asks(world: TreeWorld, planId: string, other?: string): Promise<Question> {
  for (;;) {
    for (const { payload } of await world.world.harness.steps(planId))
      if (payload.waitsFor?.for === 'answer' && payload.waitsFor.question.id !== other) return payload.waitsFor.question
    await sleep(10)
  }
}

async function planned(world: TreeWorld) {
  world.write('a.txt', 'a\n')
  world.write('b.txt', '1\n2\n3\n4\n5\n6\n7\n')
  world.commit()
  await world.worker()
  const made = await world.plan({
    one: { act: writes('a.txt', 'theirs\n') },
    two: { act: writes('b.txt', '1\n2\n3\n4\n5\n6\nseven\n') },
  })
  await world.done(made.planId)
  return made
}
