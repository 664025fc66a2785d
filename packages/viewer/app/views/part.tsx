import type { ComponentChildren } from 'preact'
import { countWords } from '../pure/words.ts'

export interface PartProps {
  readonly title: string
  readonly count?: number
  readonly children: ComponentChildren
}

/** A part of the panel of a step, under its heading. */
export function Part({ title, count, children }: PartProps) {
  return (
    <section class="part">
      <h3>
        {title} {count !== undefined && <span class="chip-count">{countWords(count)}</span>}
      </h3>
      {children}
    </section>
  )
}
