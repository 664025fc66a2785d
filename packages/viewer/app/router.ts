/** The address of the view. Every view has one, so that it can be kept, sent and opened again. */
import { computed, signal } from '@preact/signals'

const current = signal(new URL(location.href))

export const query = computed(() => current.value.searchParams)

/** What the address shows. */
export type View =
  | { readonly shows: 'plans' }
  | {
      readonly shows: 'plan'
      readonly id: string
      readonly as: 'timeline' | 'graph'
      readonly step: string | undefined
    }
  | { readonly shows: 'nothing' }

export const view = computed<View>(() => {
  const [first, id, as] = current.value.pathname.split('/').slice(1).map(decoded)
  if ((first === 'plans' || first === '') && (id ?? '') === '') return { shows: 'plans' }
  if (first !== 'plans' || id === undefined || !['timeline', 'graph', '', undefined].includes(as))
    return { shows: 'nothing' }
  const step = query.value.get('step') ?? undefined
  return { shows: 'plan', id, as: as === 'graph' ? 'graph' : 'timeline', step }
})

export const planAddress = (id: string, as: 'timeline' | 'graph' = 'timeline', step?: string): string =>
  `/plans/${encodeURIComponent(id)}${as === 'graph' ? '/graph' : ''}${step === undefined ? '' : `?step=${encodeURIComponent(step)}`}`

export function go(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(undefined, '', address)
  else history.pushState(undefined, '', address)
  current.value = new URL(location.href)
}

/** Keeps what is chosen in the address. An empty value leaves it. */
export function setQuery(name: string, value: string): void {
  const url = new URL(location.href)
  if (value === '') url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  go(`${url.pathname}${url.search}`, { replace: true })
}

export function startRouter(): void {
  addEventListener('popstate', () => {
    current.value = new URL(location.href)
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || event.defaultPrevented || link.target !== '' || link.origin !== location.origin)
      return
    if (link.hash !== '' && link.pathname === location.pathname) return
    event.preventDefault()
    const isOtherPage = link.pathname !== location.pathname
    go(`${link.pathname}${link.search}`)
    if (isOtherPage) scrollTo(0, 0)
  })
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
