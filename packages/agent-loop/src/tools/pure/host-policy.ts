/**
 * The hosts that an agent may reach. An entry is a host, a host with a port, or `*.example.com` for every subdomain. Without a
 * port, an entry means the default port of the protocol.
 */
export interface HostLists {
  readonly hosts: readonly string[]
  /** Hosts that may have private addresses. They are allowed, too. */
  readonly privateHosts?: readonly string[]
}

export interface AllowedHost {
  /** A private address is allowed on purpose, so it is not a trick of a name server. */
  readonly mayBePrivate: boolean
}

export function allowedHost({ hosts, privateHosts = [] }: HostLists, url: URL): AllowedHost | undefined {
  const asked = { host: url.hostname.toLowerCase().replace(/\.$/, ''), port: url.port }
  const isNamed = (entries: readonly string[]): boolean => entries.some((entry) => matches(parsed(entry), asked))
  if (isNamed(privateHosts)) return { mayBePrivate: true }
  return isNamed(hosts) ? { mayBePrivate: asked.host === 'localhost' || isAddress(asked.host) } : undefined
}

/** An IP address in the policy is allowed on purpose. */
function isAddress(host: string): boolean {
  return /^(?:\d+\.){3}\d+$|^\[/.test(host)
}

interface Entry {
  readonly host: string
  readonly port: string
}

function parsed(entry: string): Entry {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
  return { host: host.replace(/\.$/, ''), port }
}

function matches({ host, port }: Entry, asked: Entry): boolean {
  if (host === '' || port !== asked.port) return false
  return host.startsWith('*.') ? host.length > 2 && asked.host.endsWith(host.slice(1)) : host === asked.host
}
