/** Small texts by key, kept on this device and never in a replicated place. The program that opens memory says where. */
export interface KeyedStore {
  read(key: string): Promise<string | undefined>
  write(key: string, text: string): Promise<void>
  remove(key: string): Promise<void>
}
