/** Everything from the last such line on is ours. */
const foot = /\n+---\n+Formed from [^]*$/

/** What a published file says, in somebody's words or ours. */
export function statementIn(body: string): string {
  return body.replaceAll('\r\n', '\n').replace(foot, '').trim()
}
