import { expect, it } from 'vitest'
import { lookText } from '../src/pure/plan-text.ts'

it('names the question where a step asks several, for the agent and for the user', () => {
  const ask = { step: 's1', title: 'Release', allowed: ['yes', 'no'], mayAnswer: true }
  const text = lookText({
    plan: 'p1',
    goal: 'release',
    status: 'running',
    paused: false,
    done: 0,
    steps: 1,
    questions: 3,
    workers: 1,
    asks: [
      { ...ask, text: 'Deploy a?' },
      { ...ask, text: 'Deploy b?', question: 'ask-1' },
      { ...ask, text: 'Tell them?', question: 'ask-2', mayAnswer: false },
    ],
    stepsNow: [{ step: 's1', title: 'Release', status: 'running' }],
  })
  expect(text).toContain('? s1 Deploy a? (yes | no) · answer it with plan_change s1\n')
  expect(text).toContain('? s1 Deploy b? (yes | no) · answer it with plan_change s1, question ask-1\n')
  expect(text).toContain('? s1 Tell them? (yes | no) · only the user may answer: agentm approve s1 --question ask-2\n')
})
