/** The foot of a published file. Everything from the last such line on was added by agentm. */
const foot = /\n+---\n+Formed from [^]*$/

/** The statement in a published file, without the text that agentm added. */
export function statementIn(body: string): string {
  return body.replaceAll('\r\n', '\n').replace(foot, '').trim()
}
