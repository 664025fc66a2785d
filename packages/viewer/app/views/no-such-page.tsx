import { Empty } from './empty.tsx'

export function NoSuchPage() {
  return (
    <Empty title="There is no such page">
      <a href="/plans">Show all plans</a>
    </Empty>
  )
}
