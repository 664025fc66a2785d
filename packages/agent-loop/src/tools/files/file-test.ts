import { ToolError } from '../../loop/tool-error.ts'
import { globTest, longestGlob, type PathTest } from '../pure/glob.ts'

/** Which files a glob of the model means. Without a slash, it means the names of files in every directory. */
export function fileTest(glob: string | undefined): PathTest {
  if (glob === undefined) return () => true
  if (glob.startsWith('!')) {
    const isLeftOut = fileTest(glob.slice(1))
    return (path) => !isLeftOut(path)
  }
  const place = glob.replace(/^(?:\.?\/)+/, '')
  const test = globTest(place.includes('/') ? place : `**/${place}`)
  if (test === undefined)
    throw new ToolError(
      'validation',
      `${glob} is no glob of at most ${longestGlob} characters: a [ or { in it does not end`,
    )
  return test
}
