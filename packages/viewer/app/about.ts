/** Whose plans these are and what may be done here. Asked once. */
import { signal } from '@preact/signals'
import type { About } from '../src/contract/frame.ts'
import { ask } from './api.ts'

export const about = signal<About>({ owner: '', project: '', canWrite: false, command: 'agentm' })

export async function loadAbout(): Promise<void> {
  about.value = await ask<About>('/api/about')
}

/** A command as a person types it here. */
export const typed = (words: string): string => `${about.value.command} ${words}`
