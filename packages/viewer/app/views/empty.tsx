/** What stands where nothing is to be shown: why, and what to do next. */
import type { ComponentChildren } from 'preact'

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <section class="empty">
      <svg viewBox="0 0 120 60" width="120" height="60" aria-hidden="true">
        <path d="M18 30h22c18 0 14-18 32-18h10M40 30c18 0 14 18 32 18h10" />
        <circle cx="18" cy="30" r="7" />
        <circle cx="92" cy="12" r="7" />
        <circle cx="92" cy="48" r="7" />
      </svg>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
