/** What other pages, other users and broken clients may try, each over a real socket. All of it is refused, and nothing has changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Workspace } from '@agentm/workspace'
import { ViewWorld, type Sent } from './view-world.ts'

/** The note that is there while somebody attacks. */
const lampKey = 'personal/fact/lamp.md'
const lampText = 'The lamp is red.'

type Attack = (world: ViewWorld) => Sent | string

const answer = JSON.stringify({ do: 'cancel', planId: 'release' })
const post = (world: ViewWorld, headers: Sent['headers'] = {}): Sent => ({
  method: 'POST',
  target: '/api/change/plans',
  headers: { ...world.fromPage, ...headers },
  body: answer,
})
const change = (world: ViewWorld, room: string, sent: object | string, headers: Sent['headers'] = {}): Sent => ({
  ...post(world, headers),
  target: `/api/change/${room}`,
  body: typeof sent === 'string' ? sent : JSON.stringify(sent),
})
const forget = { do: 'forget', key: lampKey }

/** What is tried, the request, and the statuses that refuse it; 0 is a connection that was dropped without a word. */
const attacks: readonly (readonly [what: string, attack: Attack, refusal: number, orElse?: number])[] = [
  // Another name that points to this machine (DNS rebinding).
  ['a name that was made to point here', () => ({ headers: { Host: 'evil.example' } }), 403],
  ['such a name with the right port', ({ serving }) => ({ headers: { Host: `evil.example:${serving.port}` } }), 403],
  [
    'a name that begins like ours',
    ({ serving }) => ({ headers: { Host: `127.0.0.1.evil.example:${serving.port}` } }),
    403,
  ],
  ['a name that ends like ours', ({ serving }) => ({ headers: { Host: `evil-localhost:${serving.port}` } }), 403],
  ['our address with another port', () => ({ headers: { Host: '127.0.0.1:80' } }), 403],
  ['our address without a port', () => ({ headers: { Host: '127.0.0.1' } }), 403],
  ['another address of this machine', ({ serving }) => ({ headers: { Host: `0.0.0.0:${serving.port}` } }), 403],
  ['no name at all', () => ({ headers: { Host: undefined } }), 400],
  ['two names, ours first', ({ host }) => ({ headers: { Host: [host, 'evil.example'] } }), 400, 403],
  ['a whole address of another host', () => ({ target: 'http://evil.example/plans' }), 400],
  // Pages of other sites.
  ['the origin of another site', () => ({ target: '/api/plans', headers: { Origin: 'https://evil.example' } }), 403],
  ['the origin of a sandbox', () => ({ target: '/api/plans', headers: { Origin: 'null' } }), 403],
  [
    'another program of this machine',
    () => ({ target: '/api/plans', headers: { Origin: 'http://127.0.0.1:3000' } }),
    403,
  ],
  ['our host over https', ({ host }) => ({ target: '/api/plans', headers: { Origin: `https://${host}` } }), 403],
  [
    'our other name as the origin',
    ({ serving }) => ({ target: '/api/plans', headers: { Origin: `http://localhost:${serving.port}` } }),
    403,
  ],
  [
    'a script tag on another site',
    () => ({ target: '/api/plans', headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' } }),
    403,
  ],
  [
    'a frame on another site',
    () => ({ headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' } }),
    403,
  ],
  ['another port of this site', () => ({ target: '/api/plans', headers: { 'Sec-Fetch-Site': 'same-site' } }), 403],
  [
    'a form on another site',
    (world) => post(world, { Origin: 'https://evil.example', 'Content-Type': 'application/x-www-form-urlencoded' }),
    403,
  ],
  [
    'asking for leave first (CORS)',
    () => ({ method: 'OPTIONS', target: '/api/change/plans', headers: { Origin: 'https://evil.example' } }),
    405,
  ],
  // Without the token.
  ['no token', () => ({ target: '/api/plans', headers: { Cookie: undefined } }), 401],
  [
    'an empty token',
    ({ serving }) => ({ target: '/api/plans', headers: { Cookie: `agentm_view_${serving.port}=` } }),
    401,
  ],
  [
    'a wrong token',
    ({ serving }) => ({ target: '/api/plans', headers: { Cookie: `agentm_view_${serving.port}=${'a'.repeat(43)}` } }),
    401,
  ],
  ['half of the token', ({ cookie }) => ({ target: '/api/plans', headers: { Cookie: cookie.slice(0, -10) } }), 401],
  [
    'the token under another name',
    ({ token }) => ({ target: '/api/plans', headers: { Cookie: `agentm_view=${token}` } }),
    401,
  ],
  [
    'the token in the address of the API',
    ({ token }) => ({ target: `/api/plans?token=${token}`, headers: { Cookie: undefined } }),
    401,
  ],
  [
    'two tokens, the right one last',
    ({ token }) => ({ target: `/?token=x&token=${token}`, headers: { Cookie: undefined } }),
    401,
  ],
  [
    'a redirect to another host',
    ({ token }) => ({ target: `//evil.example/?token=${token}`, headers: { Cookie: undefined } }),
    400,
  ],
  // Paths.
  ['climbing out', () => ({ target: '/assets/../../package.json' }), 400],
  ['climbing out, encoded', () => ({ target: '/assets/%2e%2e/%2e%2e/package.json' }), 400],
  ['climbing out with an encoded slash', () => ({ target: '/assets/..%2f..%2fpackage.json' }), 400, 404],
  ['climbing out with backslashes', () => ({ target: '/assets/..\\..\\package.json' }), 400],
  ['a file of this machine', () => ({ target: '/etc/passwd' }), 404],
  ['a zero byte', () => ({ target: '/assets/index%00.js' }), 400],
  ['a property of every object', () => ({ target: '/api/constructor' }), 404],
  ['a session file of this machine', () => ({ target: '/api/sessions/..%2f..%2f.claude%2fhistory.jsonl' }), 400, 404],
  ['a turn of a session that is none', () => ({ target: '/api/sessions/x/entries?turn=../../etc/passwd' }), 404],
  ['sessions without the token', () => ({ target: '/api/sessions', headers: { Cookie: undefined } }), 401],
  [
    'a search by another site',
    () => ({ target: '/api/sessions?q=key', headers: { 'Sec-Fetch-Site': 'cross-site' } }),
    403,
  ],
  [
    'checks that start programs, by another site',
    () => ({ target: '/api/health/slow', headers: { Origin: 'https://evil.example' } }),
    403,
  ],
  ['the same without the token', () => ({ target: '/api/health/slow', headers: { Cookie: undefined } }), 401],
  ['a change of sessions', (world) => ({ ...post(world), target: '/api/change/sessions' }), 400],
  ['a change of health', (world) => ({ ...post(world), target: '/api/change/health' }), 400],
  ['an id of another concept', () => ({ target: '/api/steps/v1:harness:plan:release' }), 400],
  // Methods and changes.
  ['DELETE', () => ({ method: 'DELETE', target: '/api/plans/release' }), 405],
  ['PUT', () => ({ method: 'PUT', target: '/api/plans/release', body: '{}' }), 405],
  ['TRACE, which would echo the cookie', () => ({ method: 'TRACE' }), 405],
  ['CONNECT, to use this as a proxy', () => ({ method: 'CONNECT', target: 'evil.example:443' }), 0],
  ['a change by GET', () => ({ target: '/api/change/plans' }), 405],
  ['a change to an address that is only read', (world) => ({ ...post(world), target: '/api/plans' }), 405],
  ['a change without the header of the page', (world) => post(world, { 'X-Agentm-View': undefined }), 403],
  ['a change without an origin', (world) => post(world, { Origin: undefined }), 403],
  ['a change as plain text, which needs no leave', (world) => post(world, { 'Content-Type': 'text/plain' }), 415],
  [
    'a change that says it is a GET',
    (world) => ({ ...post(world, { 'X-HTTP-Method-Override': 'POST' }), method: 'GET' }),
    405,
  ],
  [
    'a change of a prototype',
    (world) => ({ ...post(world), body: '{"__proto__":{"do":"cancel","planId":"release"}}' }),
    400,
  ],
  ['a change that is no JSON', (world) => ({ ...post(world), body: '{"do":' }), 400],
  ['a change of many things', (world) => ({ ...post(world), body: '{"do":"cancel","planId":["release"]}' }), 400],
  // Too much of everything.
  [
    'a body of a megabyte',
    (world) => ({ ...post(world), body: JSON.stringify({ do: 'cancel', planId: 'x'.repeat(1_000_000) }) }),
    413,
    0,
  ],
  [
    'such a body in chunks',
    (world) => ({
      ...post(world, { 'Transfer-Encoding': 'chunked' }),
      body: `100000\r\n${'x'.repeat(0x100000)}\r\n0\r\n\r\n`,
    }),
    413,
    0,
  ],
  ['headers of a megabyte', () => ({ headers: { 'X-Long': 'x'.repeat(1_000_000) } }), 431, 0],
  ['an address of a megabyte', () => ({ target: `/plans/${'x'.repeat(1_000_000)}` }), 431, 0],
  // Notes and beliefs.
  ['a note without the token', () => ({ target: `/api/note?at=${lampKey}`, headers: { Cookie: undefined } }), 401],
  [
    'a note for another site',
    () => ({ target: `/api/note?at=${lampKey}`, headers: { Origin: 'https://e.example' } }),
    403,
  ],
  ['a file that is no note', () => ({ target: '/api/note?at=_meta/agentm-store.json' }), 404],
  ['a note outside the store', () => ({ target: '/api/note?at=../../../../etc/passwd' }), 404],
  ['a note outside the store, encoded', () => ({ target: '/api/note?at=..%2F..%2Fetc%2Fpasswd.md' }), 404],
  ['a note by the path of its file', () => ({ target: '/api/note?at=/etc/passwd.md' }), 404],
  ['a note with a zero byte', () => ({ target: '/api/note?at=personal/fact/lamp.md%00.png' }), 404],
  ['a note of another project', () => ({ target: '/api/note?at=projects/other/fact/lamp.md' }), 404],
  ['no note', () => ({ target: '/api/note' }), 404],
  ['a conflict copy that is a note', () => ({ target: `/api/conflict?copy=${lampKey}` }), 404],
  ['a conflict copy outside the store', () => ({ target: '/api/conflict?copy=../../etc/passwd' }), 404],
  ['a belief of another concept', () => ({ target: '/api/beliefs/v1:harness:plan:release' }), 404],
  ['a room that is a property of every object', () => ({ target: '/constructor/note' }), 404],
  ['forgetting by GET', () => ({ target: '/api/change/memory' }), 405],
  ['forgetting from another site', (world) => change(world, 'memory', forget, { Origin: 'https://e.example' }), 403],
  ['forgetting without the token', (world) => change(world, 'memory', forget, { Cookie: undefined }), 401],
  ['forgetting as a form', (world) => change(world, 'memory', 'do=forget', { 'Content-Type': 'text/plain' }), 415],
  ['forgetting a note outside the store', (world) => change(world, 'memory', { ...forget, key: '../lamp.md' }), 404],
  ['forgetting many notes', (world) => change(world, 'memory', { ...forget, key: [lampKey] }), 400],
  ['permanently deleting', (world) => change(world, 'memory', { do: 'purge', key: lampKey }), 400],
  ['forgetting by a prototype', (world) => change(world, 'memory', `{"__proto__":${JSON.stringify(forget)}}`), 400],
  ['a change of plans in the room of memory', (world) => change(world, 'memory', answer), 400],
  [
    'an edit that does not know what it changes',
    (world) => change(world, 'memory', { do: 'edit', key: lampKey, text: 'x', title: '', tags: [] }),
    400,
  ],
  [
    'an edit of a text that is there no more',
    (world) =>
      change(world, 'memory', { do: 'edit', key: lampKey, text: 'x', title: '', tags: [], ifHash: 'a'.repeat(64) }),
    409,
  ],
  [
    'a note of two megabytes',
    (world) => change(world, 'memory', { do: 'save', text: 'x'.repeat(2_000_000), kind: 'fact', tags: [] }),
    413,
    0,
  ],
  [
    'a note whose kind climbs out',
    (world) => change(world, 'memory', { do: 'save', text: 'x', kind: '../../x', tags: [], isPersonal: true }),
    400,
  ],
  [
    'a belief that is a plan',
    (world) => change(world, 'beliefs', { do: 'forget', id: 'v1:harness:plan:release' }),
    400,
  ],
  ['forgetting every belief', (world) => change(world, 'beliefs', { do: 'forget', id: '' }), 400],
  [
    'a belief from another site',
    (world) => change(world, 'beliefs', { do: 'forget', id: 'abcd' }, { Origin: 'null' }),
    403,
  ],
  // Requests inside requests.
  ['two lengths', (world) => post(world, { 'Content-Length': [`${answer.length}`, '5'] }), 400],
  ['a length and chunks', (world) => post(world, { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }), 400],
  ['a length that is no number', (world) => post(world, { 'Content-Length': '+4' }), 400],
  [
    'a header that is folded',
    ({ host, cookie }) => `GET /plans HTTP/1.1\r\nHost: ${host}\r\nX-A: b\r\n c: d\r\nCookie: ${cookie}\r\n\r\n`,
    400,
  ],
  ['a line end inside a header', ({ host }) => `GET /plans HTTP/1.1\r\nHost: ${host}\nCookie: x\r\n\r\n`, 400],
  ['a request of another protocol', () => `SSH-2.0-OpenSSH_9.2\r\n\r\n`, 400],
  ['an upgrade to a websocket', () => ({ headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }), 0],
  ['waiting for leave to send', (world) => post(world, { Expect: '100-continue' }), 417],
]

it('tries at least forty attacks', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(40)
})

describe('a page over a plan and a note', () => {
  let world: ViewWorld
  let workspace: Workspace

  beforeAll(async () => {
    world = await ViewWorld.open({ write: true })
    workspace = await world.openWorkspace()
    const { harness } = await workspace.plans()
    await harness.createPlan({
      id: 'release',
      goal: 'release 1.4',
      steps: [{ key: 'a', title: 'Ask', kind: 'approval' }],
    })
    const memory = await workspace.memory()
    await memory.save({ kind: 'fact', text: lampText, slug: 'lamp', scope: 'personal' })
  })

  afterAll(async () => {
    await workspace.close()
    await world.remove()
  })

  it.each(attacks.map(([what, attack, ...refusals]) => ({ what, attack, refusals })))(
    'refuses $what',
    async ({ attack, refusals }) => {
      const sent = attack(world)
      const { status, head, body } = await (typeof sent === 'string' ? world.raw(sent) : world.send(sent))
      expect(refusals).toContain(status)
      expect(`${head}${body}`).not.toContain(world.token)
      expect(body).not.toContain('release 1.4')
      expect(body).not.toContain(lampText)
      const [{ harness }, memory] = [await workspace.plans(), await workspace.memory()]
      expect((await harness.plan('release')).payload.status).toBe('open')
      expect(await memory.read(lampKey)).toMatchObject({ text: lampText, status: 'active' })
      expect(await memory.notes()).toHaveLength(1)
    },
  )
})

it('answers the same requests when nothing is wrong with them', async () => {
  const world = await ViewWorld.make({ write: true })
  const { harness } = await (await world.workspace()).plans()
  await harness.createPlan({
    id: 'release',
    goal: 'release 1.4',
    steps: [{ key: 'a', title: 'Ask', kind: 'approval' }],
  })
  expect((await world.get('/plans')).status).toBe(200)
  expect((await world.get('/api/plans')).body).toContain('release 1.4')
  expect((await world.send({ headers: { Host: `localhost:${world.serving.port}` } })).status).toBe(200)
  expect((await world.send(post(world))).body).toContain('Cancelled.')
  const note = { do: 'save', text: lampText, kind: 'fact', tags: [], isPersonal: true }
  expect((await world.send(change(world, 'memory', note))).body).toContain('Saved.')
  expect((await world.get('/api/notes')).body).toContain(lampText)
  expect((await harness.plan('release')).payload.status).toBe('cancelled')
})

it('changes nothing unless it was started with write', async () => {
  const world = await ViewWorld.make()
  const { harness } = await (await world.workspace()).plans()
  await harness.createPlan({
    id: 'release',
    goal: 'release 1.4',
    steps: [{ key: 'a', title: 'Ask', kind: 'approval' }],
  })
  const { status, body } = await world.send(post(world))
  expect([status, JSON.parse(body)]).toMatchObject([403, { code: 'READ_ONLY' }])
  expect((await harness.plan('release')).payload.status).toBe('open')
})

it('takes the token out of the address, and keeps it in a cookie that no script can read', async () => {
  const world = await ViewWorld.make()
  const { status, head } = await world.send({
    target: `/plans/x?step=1&token=${world.token}`,
    headers: { Cookie: undefined },
  })
  expect(status).toBe(303)
  expect(head).toMatch(/^Location: \/plans\/x\?step=1\r?$/m)
  expect(head).toMatch(/Set-Cookie: agentm_view_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/)
  expect(head).toMatch(/Referrer-Policy: no-referrer/)
})

it.each(['/plans', '/api/plans', '/sessions', '/api/sessions', '/api/health/checks', '/api/nothing', '/nothing'])(
  'sends %s with every protection of the browser on',
  async (target) => {
    const world = await ViewWorld.make()
    const { head } = await world.get(target)
    const policy = /Content-Security-Policy: (.*)/.exec(head)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(head).toMatch(/X-Content-Type-Options: nosniff/)
    expect(head).toMatch(/Cross-Origin-Resource-Policy: same-origin/)
    expect(head).not.toMatch(/Access-Control/)
  },
)

it('has no inline script and no inline style in its page', async () => {
  const world = await ViewWorld.make()
  const { body } = await world.get('/plans')
  expect(body).not.toMatch(/<script(?![^>]* src=)|<style|style=|\bon\w+=/)
  expect(body).toMatch(/<script type="module"[^>]* src="\/assets\/index-/)
})

it('listens on this machine only', async () => {
  const world = await ViewWorld.make()
  expect(world.serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/)
})
