import { expect, it } from 'vitest'
import { RecentNews } from '../src/recent-news.ts'

const waits = { for: 'function' as const, heard: 1 }

it('knows that a run has not heard of a message, or of the end of a plan that it waits for', () => {
  const news = new RecentNews()
  news.noteMessage('a', 1)
  expect(news.isMissedBy('a', waits)).toBe(false)
  news.noteMessage('a', 2)
  expect(news.isMissedBy('a', waits)).toBe(true)
  expect(news.isMissedBy('b', waits)).toBe(false)
  news.noteEnd('child')
  expect(news.isMissedBy('b', { ...waits, plans: ['other'] })).toBe(false)
  expect(news.isMissedBy('b', { ...waits, plans: ['other', 'child'] })).toBe(true)
})

it('remembers the newest ten thousand', () => {
  const news = new RecentNews()
  for (let i = 0; i <= 10_000; i++) news.noteMessage(`step-${i}`, 2)
  expect([news.isMissedBy('step-0', waits), news.isMissedBy('step-1', waits)]).toEqual([false, true])
})
