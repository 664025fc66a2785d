/** A figure from 0 to 1 as a bar. The number stands beside it, so the bar itself is not read out. */
export function Bar({ share, class: name = '' }: { readonly share: number; readonly class?: string }) {
  return (
    <span class={`share ${name}`} aria-hidden="true">
      <i style={{ width: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
    </span>
  )
}
