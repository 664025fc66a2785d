/** Small drawings. A status is never told by its colour alone: each has a shape of its own. */
const paths = {
  done: 'M5 10.5l3.2 3.2L15 6.8',
  failed: 'M6 6l8 8M14 6l-8 8',
  blocked: 'M8 6v8M12 6v8',
  warning: 'M10 5.2v5.6M10 14.2v.1',
  asks: 'M7.6 7.6a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M10 14.6v.1',
  cancelled: 'M6 10h8',
  running: 'M10 4a6 6 0 1 1-6 6',
  ready: 'M10 6v4l2.6 1.6',
  pending: 'M6 10h.1M10 10h.1M14 10h.1',
  sun: 'M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6M10 2.5v1.4M10 16.1v1.4M2.5 10h1.4M16.1 10h1.4M4.7 4.7l1 1M14.3 14.3l1 1M15.3 4.7l-1 1M5.7 14.3l-1 1',
  moon: 'M15.8 11.8A6.3 6.3 0 0 1 8.2 4.2a6.3 6.3 0 1 0 7.6 7.6z',
  copy: 'M7.5 7.5h7v8h-7zM5.5 12.5v-8h7',
  check: 'M5 10.5l3.2 3.2L15 6.8',
  close: 'M6 6l8 8M14 6l-8 8',
  search: 'M9 4.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M12.4 12.4l3.4 3.4',
  plus: 'M10 5v10M5 10h10',
  minus: 'M5 10h10',
  left: 'M12 5l-5 5 5 5',
  right: 'M8 5l5 5-5 5',
  person: 'M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4.5 16.5a5.5 5.5 0 0 1 11 0',
  agent: 'M5 8h10v7H5zM10 8V5M10 5h.1M8 11.5h.1M12 11.5h.1',
  pen: 'M5 15l.6-2.9 7.3-7.3 2.3 2.3-7.3 7.3z',
  fit: 'M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}

const statusIcons: Readonly<Record<string, IconName>> = {
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  blocked: 'blocked',
  asks: 'asks',
  paused: 'blocked',
  running: 'running',
  ready: 'ready',
  open: 'pending',
  pending: 'pending',
}

/** The mark of a status; the word stands beside it, or is read out. */
export function StatusMark({ status, word = false }: { readonly status: string; readonly word?: boolean }) {
  return (
    <span class={`mark is-${status}${word ? ' has-word' : ''}`}>
      <Icon name={statusIcons[status] ?? 'pending'} />
      <span class={word ? '' : 'only-read'}>{statusWords[status] ?? status}</span>
    </span>
  )
}

const statusWords: Readonly<Record<string, string>> = {
  asks: 'waits for you',
  open: 'not started',
  blocked: 'waiting',
  pending: 'waiting for earlier steps',
}
