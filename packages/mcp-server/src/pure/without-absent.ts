/** An object without the fields that are `undefined`. */
export type WithoutAbsent<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

export function withoutAbsent<T extends object>(given: T): WithoutAbsent<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as WithoutAbsent<T>
}
