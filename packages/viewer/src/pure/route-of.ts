/** What an address asks for. */
export type Route =
  | { readonly to: 'page' }
  | { readonly to: 'file'; readonly name: string }
  | { readonly to: 'about' | 'plans' | 'asks' | 'events' | 'change' }
  | { readonly to: 'plan' | 'standing' | 'step'; readonly id: string }
  | { readonly to: 'nothing' }

const fixed: Readonly<Record<string, Route>> = {
  '/api/about': { to: 'about' },
  '/api/plans': { to: 'plans' },
  '/api/asks': { to: 'asks' },
  '/api/events': { to: 'events' },
  '/api/change': { to: 'change' },
}

/** Addresses of views belong to the page: it reads them itself. */
export function routeOf(pathname: string): Route {
  const known = Object.hasOwn(fixed, pathname) ? fixed[pathname] : undefined
  if (known !== undefined) return known
  const [, kind, encoded = '', rest] = /^\/api\/(plans|steps)\/([^/]{1,1000})(\/standing)?$/.exec(pathname) ?? []
  const id = decoded(encoded)
  if (kind === 'plans' && id !== undefined) return { to: rest === undefined ? 'plan' : 'standing', id }
  if (kind === 'steps' && id !== undefined && rest === undefined) return { to: 'step', id }
  if (pathname.startsWith('/api/')) return { to: 'nothing' }
  const [, name] = /^\/(assets\/[\w-]+\.(?:js|css)|icon\.svg)$/.exec(pathname) ?? []
  if (name !== undefined) return { to: 'file', name }
  return /^\/(?:plans(?:\/.*)?)?$/.test(pathname) ? { to: 'page' } : { to: 'nothing' }
}

/** An id may hold any letters. `undefined` for none, and for what cannot be decoded. */
function decoded(part: string): string | undefined {
  try {
    const id = decodeURIComponent(part)
    return id === '' ? undefined : id
  } catch {
    return undefined
  }
}
