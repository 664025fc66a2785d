/** What a program gets to see of this process's environment: what is named, and no more. */
export const usuallyAllowed: readonly string[] = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'USER', 'SHELL']

export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[] = usuallyAllowed,
): Readonly<Record<string, string>> {
  const seen = allowed.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(seen)
}
