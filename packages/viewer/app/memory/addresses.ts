const path = (key: string): string => key.split('/').map(encodeURIComponent).join('/')

export const noteAddress = (key: string, view = ''): string =>
  `/memory/note/${path(key)}${view === '' ? '' : `?view=${view}`}`

export const conflictAddress = (copy: string): string => `/memory/conflicts/${path(copy)}`
