/** The address of the view. Every view has one, so that it can be kept, sent and opened again. */
import { computed, signal } from '@preact/signals'

const current = signal(new URL(location.href))

export const query = computed(() => current.value.searchParams)

/** The parts of the address: the first names the room, and the others are read by it. Empty parts are left out. */
export const parts = computed<readonly string[]>(() =>
  current.value.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
)

export const planAddress = (id: string, as: 'timeline' | 'graph' = 'timeline', step?: string): string =>
  `/plans/${encodeURIComponent(id)}${as === 'graph' ? '/graph' : ''}${step === undefined ? '' : `?step=${encodeURIComponent(step)}`}`

/** Two plans side by side; without a second one, the choice of it. */
export const compareAddress = (a: string, b?: string): string =>
  `/plans/${encodeURIComponent(a)}/compare${b === undefined ? '' : `/${encodeURIComponent(b)}`}`

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
