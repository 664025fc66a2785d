import { describe, expect, it } from 'vitest'
import { ToolError } from '../../../src/index.ts'
import { classifyError, errorText } from '../../../src/loop/pure/classify-error.ts'
import { isContextTooLong } from '../../../src/loop/pure/classify-error.ts'

const typeOf = (error: unknown) => classifyError(error).type
const coded = (code: string, message = 'it failed') => Object.assign(new Error(message), { code })
const status = (code: number) => Object.assign(new Error('it failed'), { status: code })

describe('what an error is', () => {
  it.each([
    ['Additional property "x"', 'validation'],
    ['invalid argument', 'validation'],
    ['missing required field', 'validation'],
    ['not allowed: it is Sunday', 'validation'],
    ['Permission denied', 'permission'],
    ['read is not allowed for builder', 'permission'],
    ['out of scope', 'permission'],
    ['no such thing: not found', 'not_found'],
    ['unknown tool reed', 'not_found'],
    ['does not exist', 'not_found'],
    ['timeout while waiting', 'timeout'],
    ['context deadline exceeded', 'timeout'],
    ['Overloaded', 'unavailable'],
    ['rate limit reached', 'unavailable'],
    ['got 503 from upstream', 'unavailable'],
    ['connection reset by peer', 'unavailable'],
    ['something else', 'internal'],
    // The first row that fits decides.
    ['validation timeout', 'validation'],
    ['forbidden: not found', 'permission'],
    // Codes and statuses in words.
    ['429 Too Many Requests', 'unavailable'],
    ['401 Unauthorized', 'permission'],
    ['HTTP 404', 'not_found'],
    ['request failed with status code 422', 'validation'],
    ['connect ETIMEDOUT 10.0.0.1:443', 'timeout'],
    ['read ECONNRESET', 'unavailable'],
    ["ENOENT: no such file or directory, open 'x'", 'not_found'],
    // Digits in an id are no status.
    ['order 1503-401 was lost', 'internal'],
    ['row:503 is odd', 'internal'],
    ['read 404 rows, then broke', 'internal'],
  ])('%j says %s', (text, type) => {
    expect(typeOf(new Error(text))).toBe(type)
    expect(typeOf(text)).toBe(type)
  })

  it.each([
    ['VALIDATION_FAILED', 'validation'],
    ['MISSING_REQUIRED_FIELDS', 'validation'],
    ['INVALID_FIELD_TYPE', 'validation'],
    ['INVALID_ARGUMENT', 'validation'],
    ['INVALID_OPERATOR', 'validation'],
    ['SYNTAX_ERROR', 'validation'],
    ['UNKNOWN_CONCEPT', 'not_found'],
    ['UNKNOWN_FUNCTION', 'not_found'],
    ['NOT_FOUND', 'not_found'],
    ['RELATIONSHIP_NOT_FOUND', 'not_found'],
    ['ABSENT_NODE', 'not_found'],
    ['OWNER_REFUSED', 'permission'],
    ['STORE_BUSY', 'unavailable'],
    ['ETIMEDOUT', 'timeout'],
    ['ECONNRESET', 'unavailable'],
    ['ECONNREFUSED', 'unavailable'],
    ['EACCES', 'permission'],
    ['ENOENT', 'not_found'],
    ['SOMETHING_ELSE', 'internal'],
  ])('code %s is %s, whatever the words', (code, type) => {
    expect(typeOf(coded(code))).toBe(type)
    expect(typeOf(coded(code, 'rate limit'))).toBe(type === 'internal' ? 'unavailable' : type)
  })

  it.each([
    [400, 'validation', false],
    [401, 'permission', false],
    [403, 'permission', false],
    [404, 'not_found', false],
    [408, 'timeout', true],
    [409, 'validation', false],
    [422, 'validation', false],
    [429, 'unavailable', true],
    [500, 'internal', true],
    [503, 'unavailable', true],
    [504, 'timeout', true],
    [529, 'unavailable', true],
  ])('status %i is %s; worth another try: %s', (code, type, retryable) => {
    expect(classifyError(status(code))).toMatchObject({ type, retryable })
    expect(typeOf({ message: 'x', response: { status: code } })).toBe(type)
  })

  it('is found at any depth of the causes, also of several, and of a chain that bites its tail', () => {
    const deep = new Error('fetch failed', { cause: new Error('inner', { cause: coded('ECONNRESET') }) })
    expect(typeOf(deep)).toBe('unavailable')
    expect(typeOf(new AggregateError([coded('ETIMEDOUT')], 'all failed'))).toBe('timeout')
    const circle = new Error('round', { cause: undefined })
    circle.cause = circle
    expect(typeOf(circle)).toBe('internal')
    expect(typeOf(new Error('timeout', { cause: new ToolError('permission', 'no') }))).toBe('permission')
  })

  it('is null for no error', () => {
    expect(classifyError(null)).toBe(null)
    expect(errorText(null)).toBe('null')
  })
})

describe('what is done about it', () => {
  it.each([
    ['validation', false, true],
    ['permission', false, false],
    ['not_found', false, true],
    ['timeout', true, false],
    ['unavailable', true, false],
    ['internal', true, false],
  ] as const)('%s: retryable %s, userFixable %s', (type, retryable, userFixable) => {
    expect(classifyError(new ToolError(type, 'x'))).toMatchObject({ type, retryable, userFixable, attempts: 1 })
  })

  it('is written as JSON, without empty fields', () => {
    const error = classifyError(new ToolError('validation', 'no', { details: { field: 'a' } }), 2)
    expect(JSON.parse(errorText(error))).toEqual({
      type: 'validation',
      message: 'no',
      retryable: false,
      userFixable: true,
      attempts: 2,
      details: { field: 'a' },
    })
    expect(errorText(classifyError(new ToolError('internal', 'x'), 0))).toBe(
      '{"type":"internal","message":"x","retryable":true,"userFixable":false}',
    )
  })

  it.each([
    [coded('ECONNREFUSED'), false],
    [status(429), false],
    [status(422), false],
    [coded('ECONNRESET'), true],
    [status(500), true],
    [new Error('odd'), true],
    [new ToolError('internal', 'x', { mayHaveHappened: false }), false],
    [new ToolError('not_found', 'x'), false],
    [new ToolError('not_found', 'x', { mayHaveHappened: true }), true],
    [new Error('paid, and then', { cause: new ToolError('not_found', 'no receipt') }), true],
    [coded('ENOENT'), true],
    [coded('NOT_FOUND'), true],
    [new Error('receipt not found'), true],
    [Object.assign(new Error('odd answer'), { name: 'ZodError' }), true],
    [status(404), false],
  ])('%s may have had its effect: %s', (error, may) => {
    expect(classifyError(error).mayHaveHappened).toBe(may)
  })
})

it('knows a context that is too long by narrow words', () => {
  expect(isContextTooLong(new Error("This model's maximum context length is 8192 tokens"))).toBe(true)
  expect(isContextTooLong(coded('context_length_exceeded'))).toBe(true)
  expect(isContextTooLong(new Error('the file is too long'))).toBe(false)
})
