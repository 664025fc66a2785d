/**
 * Normalises the addresses of a repository: `git@host:o/r.git`, `https://user:token@Host/o/r` and `ssh://git@host:2222/o/r/` all
 * become `host/o/r`. Users, passwords and ports are removed, because the result is stored in a replicated file.
 */
export function remoteIdentity(address: string): string | undefined {
  const text = address.trim()
  if (text === '') return undefined
  const url = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?([^/:]*|\[[^\]]*\])(?::\d+)?\/(.*)$/i.exec(text)
  if (url !== null) {
    const [, , host = '', path = ''] = url
    return `${host.toLowerCase()}/${tidy(path)}`
  }
  // `host:path`, unless it is a drive letter or a path that contains a colon.
  const scp = /^(?:[^/@]*@)?([^/:@]{2,}):(.*)$/.exec(text)
  if (scp !== null) {
    const [, host = '', path = ''] = scp
    return `${host.toLowerCase()}/${tidy(path)}`
  }
  return text.startsWith('/') ? `/${tidy(text)}` : undefined
}

function tidy(path: string): string {
  return path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^\//, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
}
