/** What an address asks for. */
export type Route =
  | { readonly to: 'page' | 'about' | 'events' | 'nothing' }
  | { readonly to: 'file'; readonly name: string }
  /** `address` is one of `reads`, with `:id` in it if there is an id. */
  | { readonly to: 'read'; readonly address: string; readonly id: string }
  | { readonly to: 'change'; readonly room: string }

/** Which addresses there are: the names of the rooms, and what they tell. */
export interface Addresses {
  readonly rooms: readonly string[]
  readonly reads: readonly string[]
}

/** Addresses of views belong to the page: it reads them itself. */
export function routeOf(pathname: string, { rooms, reads }: Addresses): Route {
  if (pathname === '/') return { to: 'page' }
  if (pathname === '/api/about') return { to: 'about' }
  if (pathname === '/api/events') return { to: 'events' }
  const parts = pathname.split('/').slice(1)
  const [first = '', second, third = ''] = parts
  if (first === 'api' && second === 'change')
    return parts.length === 3 && rooms.includes(third) ? { to: 'change', room: third } : { to: 'nothing' }
  if (first === 'api') return readingOf(parts, reads)
  const [, name] = /^\/(assets\/[\w-]+\.(?:js|css)|icon\.svg)$/.exec(pathname) ?? []
  if (name !== undefined) return { to: 'file', name }
  return rooms.includes(first) ? { to: 'page' } : { to: 'nothing' }
}

function readingOf(parts: readonly string[], reads: readonly string[]): Route {
  for (const address of reads) {
    const id = idIn(parts, address.split('/').slice(1))
    if (id !== undefined) return { to: 'read', address, id }
  }
  return { to: 'nothing' }
}

/** What stands for `:id`; empty if the address has none. `undefined` if it is another address. */
function idIn(parts: readonly string[], wanted: readonly string[]): string | undefined {
  if (parts.length !== wanted.length) return undefined
  let id: string | undefined = ''
  for (const [i, part] of parts.entries())
    if (wanted[i] === ':id') id = decoded(part)
    else if (wanted[i] !== part) return undefined
  return id
}

/** An id may hold any letters. `undefined` for none, and for what cannot be decoded. */
function decoded(part: string): string | undefined {
  if (part.length > 1_000) return undefined
  try {
    const id = decodeURIComponent(part)
    return id === '' ? undefined : id
  } catch {
    return undefined
  }
}
