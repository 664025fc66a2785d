/** Something that is opened when it is first asked for, once for all who ask. What could not be opened is tried again. */
export interface Once<T> {
  (): Promise<T>
  /** What is open by now; `undefined` where nobody asked, or where it could not be opened. */
  opened(): Promise<T | undefined>
}

export function once<T>(open: () => Promise<T>): Once<T> {
  let opening: Promise<T> | undefined
  const ask = async (): Promise<T> => {
    const started = (opening ??= open())
    try {
      return await started
    } catch (error) {
      if (opening === started) opening = undefined
      throw error
    }
  }
  return Object.assign(ask, { opened: async () => opening?.catch(() => undefined) })
}
