/** The sync program that replicates a folder, judged by the folder's name and its parent's name. */
export function unsafeSegment(name: string, parent: string): string | undefined {
  if (/^dropbox( \(.*\))?$/i.test(name)) return 'Dropbox'
  if (/^onedrive( ?- .*)?$/i.test(name)) return 'OneDrive'
  if (/^(google ?drive|my drive|googledrive-.*)$/i.test(name)) return 'Google Drive'
  if (/^(icloud ?drive|iclouddrive)$/i.test(name)) return 'iCloud'
  if (name === 'Mobile Documents' && parent === 'Library') return 'iCloud'
  if (name === 'CloudStorage' && parent === 'Library') return 'a cloud drive'
  if (/^(nextcloud|owncloud|synologydrive|pcloud ?drive|box sync)$/i.test(name)) return name
  return undefined
}

/** Linux file systems that forward locks to another machine or may lose them. */
const remote: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x7461636f, 'OCFS2'],
])

/** `type` is the value that statfs returns. The numbers have this meaning only on Linux. */
export function unsafeFileSystem(type: number, platform: string): string | undefined {
  return platform === 'linux' ? remote.get(type >>> 0) : undefined
}
