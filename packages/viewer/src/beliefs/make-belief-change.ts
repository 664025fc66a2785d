import type { Workspace } from '@agentm/workspace'
import type { BeliefChange } from '../contract/beliefs.ts'
import type { Changed } from '../contract/frame.ts'
import { noteAddress } from '../memory/pure/note-address.ts'

/**
 * Does what the person asked for, by the verbs of `agentm beliefs`. What was learned from agent sessions waits for a decision of its own:
 * then these are the verbs of `agentm learned`.
 */
export async function makeBeliefChange(workspace: Workspace, change: BeliefChange): Promise<Changed> {
  const learning = await workspace.learning()
  const { owner } = learning
  const beliefs = learning.beliefs(owner)
  const { id, isUnconfirmed = false, status } = await beliefs.show(change.id)
  if (isUnconfirmed && status === 'active' && change.do !== 'restore') return decideLesson(workspace, { ...change, id })
  const done = await decide(workspace, { ...change, id })
  const { notices } = await learning.sync(owner)
  return notices.length === 0 ? done : { message: `${done.message} ${notices.join(' ')}` }
}

async function decide(workspace: Workspace, change: BeliefChange): Promise<Changed> {
  const learning = await workspace.learning()
  const beliefs = learning.beliefs(learning.owner)
  switch (change.do) {
    case 'confirm':
      await beliefs.confirm(change.id)
      return { message: 'Confirmed: its confidence is 1 again.' }
    case 'correct':
      await beliefs.correct(change.id, change.text)
      return { message: 'Corrected. Your words are kept.' }
    case 'forget': {
      const { wasActive } = await beliefs.prune(change.id)
      return { message: wasActive ? 'Forgotten. It is not learned again.' : 'It was already forgotten.' }
    }
    default: {
      const { restored } = await (await workspace.memory()).restore(change.id, { by: 'person' })
      return { message: restored ? 'Restored.' : 'It was not forgotten.' }
    }
  }
}

async function decideLesson(workspace: Workspace, change: BeliefChange): Promise<Changed> {
  const learning = await workspace.learning()
  const shelf = learning.learned(learning.owner)
  switch (change.do) {
    case 'correct':
      await shelf.edit(change.id, change.text)
      return { message: 'Worded anew. It still waits for your decision.' }
    case 'forget':
      await shelf.reject(change.id)
      return { message: 'Rejected. It is not learned again.' }
    default: {
      const { note } = await learning.acceptLesson(change.id)
      return { message: 'Accepted: it is a note now.', next: noteAddress(note) }
    }
  }
}
