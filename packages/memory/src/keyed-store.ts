/** Small texts by key, stored on this device and never in a replicated directory. The calling program decides where. */
export interface KeyedStore {
  read(key: string): Promise<string | undefined>
  write(key: string, text: string): Promise<void>
  remove(key: string): Promise<void>
}
