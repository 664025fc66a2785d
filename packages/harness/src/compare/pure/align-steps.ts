/**
 * Which step of one plan is which step of another: by key, then by a title that only one step of each plan has, and in plans that belong
 * together by their place among the rest.
 */
export interface AlignedStep {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly kind: string
}

export interface Pair<S extends AlignedStep> {
  readonly a?: S
  readonly b?: S
  readonly by?: 'key' | 'title' | 'place'
}

/** In the order of the first plan. A step that only the second has stands behind the one before it there. */
export function alignSteps<S extends AlignedStep>(
  a: readonly S[],
  b: readonly S[],
  { areRelated }: { readonly areRelated: boolean },
): readonly Pair<S>[] {
  const pairs = new Map<S, { readonly b: S; readonly by: NonNullable<Pair<S>['by']> }>()
  const taken = new Set<S>()
  const pair = (one: S, other: S | undefined, by: NonNullable<Pair<S>['by']>): void => {
    if (other === undefined || taken.has(other) || pairs.has(one)) return
    pairs.set(one, { b: other, by })
    taken.add(other)
  }
  const byKey = new Map(b.map((step) => [step.key, step]))
  const byTail = new Map(b.map((step) => [tailOf(step), step]))
  // The steps of a plan that goes on with the rest of another are named after the ids of that one.
  for (const step of a) pair(step, byKey.get(step.key) ?? byKey.get(tailOf(step)) ?? byTail.get(step.key), 'key')
  const [titlesA, titlesB] = [onlyTitles(a), onlyTitles(b)]
  for (const [title, step] of titlesA) pair(step, titlesB.get(title), 'title')
  if (areRelated) {
    const left = b.filter((step) => !taken.has(step))
    for (const [i, step] of a.filter((one) => !pairs.has(one)).entries())
      pair(step, left[i]?.kind === step.kind ? left[i] : undefined, 'place')
  }
  return inOrder(a, b, { pairs, taken })
}

function inOrder<S extends AlignedStep>(
  a: readonly S[],
  b: readonly S[],
  {
    pairs,
    taken,
  }: {
    readonly pairs: ReadonlyMap<S, { readonly b: S; readonly by: NonNullable<Pair<S>['by']> }>
    readonly taken: ReadonlySet<S>
  },
): readonly Pair<S>[] {
  const onlyB = new Map<S | undefined, Pair<S>[]>()
  let last: S | undefined
  for (const step of b)
    if (taken.has(step)) last = step
    else onlyB.set(last, [...(onlyB.get(last) ?? []), { b: step }])
  return [
    ...(onlyB.get(undefined) ?? []),
    ...a.flatMap((step) => {
      const found = pairs.get(step)
      return found === undefined ? [{ a: step }] : [{ a: step, ...found }, ...(onlyB.get(found.b) ?? [])]
    }),
  ]
}

function tailOf({ id }: AlignedStep): string {
  return id.slice(id.lastIndexOf(':') + 1)
}

/** Steps whose title no other step of their plan has. */
function onlyTitles<S extends AlignedStep>(steps: readonly S[]): ReadonlyMap<string, S> {
  const counts = new Map<string, number>()
  for (const { title } of steps) counts.set(title, (counts.get(title) ?? 0) + 1)
  return new Map(steps.flatMap((step) => (counts.get(step.title) === 1 ? [[step.title, step] as const] : [])))
}
