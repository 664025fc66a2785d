import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompositionSchema } from '../src/decomposition-schema.ts'
import { decompositionProblem, mostSteps, singleStep, tidySteps } from '../src/pure/decomposition.ts'
import { isTrivialGoal } from '../src/pure/is-trivial-goal.ts'

const step = (key: string, dependsOn: readonly string[] = [], title = key) => ({
  key,
  title,
  goal: '',
  dependsOn,
  roleHint: '',
})

describe('a decomposition', () => {
  it.each([
    ['no steps', [], 'there are no steps'],
    ['an empty key', [step(' ')], 'step 1 has no key'],
    ['a key used twice, spaces aside', [step('a'), step(' a')], 'two steps have the key "a"'],
    ['no title', [step('a', [], '  ')], 'step "a" has no title'],
    ['a step that waits for itself', [step('a', ['a'])], 'step "a" depends on itself'],
    ['a dependency on nothing', [step('a', ['b'])], 'step "a" depends on "b", which is no step'],
    [
      'a circle',
      [step('a', ['b']), step('b', ['c']), step('c', ['a'])],
      'these steps wait for each other: "a", "b", "c"',
    ],
    [
      'too many steps',
      Array.from({ length: mostSteps + 1 }, (_, i) => step(`s${i}`)),
      `there are ${mostSteps + 1} steps, and at most ${mostSteps} are possible`,
    ],
  ])('with %s is refused, with the reason', (_, steps, problem) => {
    expect(decompositionProblem(steps)).toBe(problem)
    const parsed = decompositionSchema.safeParse({ steps })
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([problem])
  })

  it.each([
    ['keys that differ in case', [step('a'), step('A')]],
    ['blank and repeated dependencies', [step('a'), step('b', ['a', ' a ', ' '])]],
    ['as many steps as there may be', Array.from({ length: mostSteps }, (_, i) => step(`s${i}`))],
    ['keys that look like properties of objects', [step('__proto__'), step('constructor', ['__proto__'])]],
  ])('with %s is taken', (_, steps) => {
    expect(decompositionProblem(steps)).toBeUndefined()
  })

  it('is trimmed, and says each dependency once', () => {
    const [, b] = tidySteps([step('a'), { ...step(' b ', [' a', 'a', '']), title: ' Do ', roleHint: ' builder ' }])
    expect(b).toEqual({ key: 'b', title: 'Do', goal: '', dependsOn: ['a'], roleHint: 'builder' })
  })

  it('may leave out what has a default, and say what nobody asked', () => {
    const given = { steps: [{ key: 'a', title: 'A', dependsOn: null, mood: 'good' }], note: 'done' }
    expect(decompositionSchema.parse(given)).toEqual([step('a', [], 'A')])
  })

  it.each([[null], ['steps'], [{}], [{ steps: {} }], [{ steps: [null] }], [{ steps: [{ key: 1, title: 'x' }] }]])(
    'is not %j',
    (given) => {
      expect(decompositionSchema.safeParse(given).success).toBe(false)
    },
  )

  it('that has no problem can always be done in some order', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', ' a', '')
    const any = fc.record({
      key,
      title: fc.string(),
      goal: fc.string(),
      dependsOn: fc.array(key, { maxLength: 3 }),
      roleHint: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (steps) => {
        if (decompositionProblem(steps) !== undefined) return
        const done = new Set<string>()
        const open = new Set(tidySteps(steps))
        for (let progress = true; progress;) {
          progress = false
          for (const each of open)
            if (each.dependsOn.every((other) => done.has(other))) {
              open.delete(each)
              done.add(each.key)
              progress = true
            }
        }
        expect(open.size).toBe(0)
      }),
    )
  })
})

describe('a goal as one step', () => {
  it('keeps the goal whole and cuts the title to 120 characters, none of them in half', () => {
    const goal = '🦊'.repeat(130)
    expect(singleStep(goal)).toEqual({
      key: 's1',
      title: `${'🦊'.repeat(117)}...`,
      goal,
      dependsOn: [],
      roleHint: '',
    })
    expect(singleStep('x'.repeat(120)).title).toBe('x'.repeat(120))
    expect(singleStep('two\n  lines').title).toBe('two lines')
    expect(singleStep('  ').title).toBe('complete the goal')
  })
})

describe('a trivial goal', () => {
  it.each(['Fix the typo in the readme', 'say hello', 'What does the lock protect?'])(
    'is one short sentence: %s',
    (goal) => {
      expect(isTrivialGoal(goal)).toBe(true)
    },
  )

  it.each([
    '',
    'Read the log and then fix what it complains about',
    'Collect the prices, compare them',
    'Look at it. Then tell me.',
    'one line\nanother line',
    'Migrate every service',
    'a b c d e f g h i j k l m',
    '調査して、報告書を書いてください',
  ])('is nothing else: %j', (goal) => {
    expect(isTrivialGoal(goal)).toBe(false)
  })
})
