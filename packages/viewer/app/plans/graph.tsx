/** The steps and what each depends on. Only the part on the screen is drawn. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PlanFacts, StepRow } from '../../src/contract/plans.ts'
import { ranFor } from './pure/critical-path.ts'
import { now } from '../clock.ts'
import { type Layout, layers, nodeSize, type Place } from './pure/layers.ts'
import { spanWords } from '../pure/words.ts'
import { planAddress } from '../router.ts'
import { Icon, StatusMark } from '../views/icons.tsx'

export interface GraphProps {
  readonly plan: PlanFacts
  readonly steps: ReadonlyMap<string, StepRow>
  /** What the search and the chips leave; the others are faint. */
  readonly shown: readonly StepRow[]
  readonly critical: ReadonlySet<string>
  readonly chosen: string | undefined
}

/** Above this, dagre takes longer than a person waits. */
const mostForDagre = 250
const scales = [0.3, 0.45, 0.65, 0.85, 1, 1.25] as const
const mostlyReadable = 4

export function Graph({ plan, steps, shown, critical, chosen }: GraphProps) {
  const layout = useLayout(steps)
  const box = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState<number>(mostlyReadable)
  const scale = scales[zoom] ?? 1
  const port = useViewport(box, layout)
  const isShown = useMemo(() => new Set(shown.map(({ id }) => id)), [shown])
  const isFaint = (id: string): boolean => shown.length < steps.size && !isShown.has(id)
  // The first look shows the whole width, as far as it can still be read.
  useLayoutEffect(() => {
    if (layout !== undefined) setZoom(Math.min(mostlyReadable, Math.max(3, fitting(layout, box.current))))
  }, [layout])
  useEffect(() => {
    const place = chosen === undefined ? undefined : layout?.places.get(chosen)
    if (place !== undefined && box.current !== null && !isInside(place, box.current, scale))
      box.current.scrollTo({ left: place.x * scale - 80, top: place.y * scale - 120 })
  }, [chosen, layout])
  if (layout === undefined) return <p class="meta">Laying out the graph…</p>
  const area = {
    left: port.left / scale,
    top: port.top / scale,
    right: port.right / scale,
    bottom: port.bottom / scale,
  }
  const nodes = [...layout.places].filter(([, place]) => touches(place, area))
  return (
    <section class="graph" aria-label="Graph">
      <div class="zoom" role="group" aria-label="Zoom">
        <button
          type="button"
          class="icon-button"
          aria-label="Zoom out"
          title="Zoom out"
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        >
          <Icon name="minus" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Zoom in"
          title="Zoom in"
          disabled={zoom === scales.length - 1}
          onClick={() => setZoom(zoom + 1)}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Fit the width"
          title="Fit the width"
          onClick={() => setZoom(fitting(layout, box.current))}
        >
          <Icon name="fit" />
        </button>
      </div>
      <div
        class="graph-box"
        ref={box}
        tabIndex={0}
        role="group"
        aria-label="Steps and what they depend on; scrolls in both directions"
      >
        <div class="graph-size" style={{ width: `${layout.width * scale}px`, height: `${layout.height * scale}px` }}>
          <div
            class="graph-scale"
            style={{ transform: `scale(${scale})`, width: `${layout.width}px`, height: `${layout.height}px` }}
          >
            <svg class="edges" width={layout.width} height={layout.height} aria-hidden="true">
              {edgesIn(steps, layout, area).map(({ from, to, a, b }) => (
                <path
                  key={`${from} ${to}`}
                  class={`${critical.has(from) && critical.has(to) ? 'is-critical' : ''}${isFaint(from) || isFaint(to) ? ' is-faint' : ''}${steps.get(from)?.status === 'done' ? '' : ' is-open'}`}
                  d={curve(a, b)}
                />
              ))}
            </svg>
            {nodes.map(([id, place]) => {
              const step = steps.get(id)
              return (
                step !== undefined && (
                  <GraphNode
                    key={id}
                    planId={plan.id}
                    step={step}
                    place={place}
                    isCritical={critical.has(id)}
                    isChosen={id === chosen}
                    isFaint={isFaint(id)}
                  />
                )
              )
            })}
          </div>
        </div>
      </div>
    </section>
  )
}

interface NodeProps {
  readonly planId: string
  readonly step: StepRow
  readonly place: Place
  readonly isCritical: boolean
  readonly isChosen: boolean
  readonly isFaint: boolean
}

function GraphNode({ planId, step, place, isCritical, isChosen, isFaint }: NodeProps) {
  const ran = ranFor(step, now())
  const status = step.status === 'blocked' && step.waitsFor === 'answer' ? 'asks' : step.status
  const flags = `${isCritical ? ' is-critical' : ''}${isChosen ? ' is-chosen' : ''}${isFaint ? ' is-faint' : ''}`
  return (
    <a
      class={`node is-${status}${flags}`}
      href={planAddress(planId, 'graph', step.id)}
      title={step.title}
      style={{
        left: `${place.x}px`,
        top: `${place.y}px`,
        width: `${nodeSize.width}px`,
        height: `${nodeSize.height}px`,
      }}
    >
      <StatusMark status={status} />
      <span class="node-text">
        <span class="node-title">{step.erased === true ? '(erased)' : step.title}</span>
        <span class="node-meta">
          {step.kind}
          {ran > 0 && ` · ${spanWords(ran)}`}
          {step.attempt > 0 && ` · attempt ${step.attempt + 1}`}
        </span>
      </span>
    </a>
  )
}

/** Laid out again only when steps or dependencies change, and not when a step moves on. */
function useLayout(steps: ReadonlyMap<string, StepRow>): Layout | undefined {
  const shape = useMemo(
    () => `${steps.size} ${[...steps.values()].reduce((sum, { dependsOn }) => sum + dependsOn.length, 0)}`,
    [steps],
  )
  const [layout, set] = useState<Layout | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    if (steps.size > mostForDagre) set(layers(steps))
    else void loadDagre().then((dagreLayout) => isOver || set(dagreLayout(steps)))
    return () => {
      isOver = true
    }
  }, [shape])
  return layout
}

async function loadDagre() {
  return (await import('./dagre-layout.ts')).dagreLayout
}

interface Area {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const around = 300

function useViewport(box: { readonly current: HTMLDivElement | null }, layout: Layout | undefined): Area {
  const [area, set] = useState<Area>({ left: -around, top: -around, right: 2_000, bottom: 1_200 })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    let frame = 0
    const look = () => {
      frame = 0
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = element
      set({
        left: scrollLeft - around,
        top: scrollTop - around,
        right: scrollLeft + clientWidth + around,
        bottom: scrollTop + clientHeight + around,
      })
    }
    const later = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    element.addEventListener('scroll', later, { passive: true })
    const observer = new ResizeObserver(later)
    observer.observe(element)
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('scroll', later)
      observer.disconnect()
    }
  }, [layout])
  return area
}

interface Edge {
  readonly from: string
  readonly to: string
  readonly a: Place
  readonly b: Place
}

/** So many lines say no more to anybody. */
const mostEdges = 1_500

function edgesIn(steps: ReadonlyMap<string, StepRow>, { places }: Layout, area: Area): readonly Edge[] {
  const edges: Edge[] = []
  for (const step of steps.values()) {
    const b = places.get(step.id)
    if (b === undefined) continue
    for (const from of step.dependsOn) {
      const a = places.get(from)
      if (a === undefined || !crosses(a, b, area)) continue
      edges.push({ from, to: step.id, a, b })
      if (edges.length === mostEdges) return edges
    }
  }
  return edges
}

function crosses(a: Place, b: Place, area: Area): boolean {
  const right = Math.max(a.x, b.x) + nodeSize.width
  const bottom = Math.max(a.y, b.y) + nodeSize.height
  return Math.min(a.x, b.x) < area.right && right > area.left && Math.min(a.y, b.y) < area.bottom && bottom > area.top
}

function touches({ x, y }: Place, { left, top, right, bottom }: Area): boolean {
  return x < right && x + nodeSize.width > left && y < bottom && y + nodeSize.height > top
}

function isInside({ x, y }: Place, box: HTMLElement, scale: number): boolean {
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = box
  const [left, top] = [x * scale, y * scale]
  return (
    left >= scrollLeft &&
    left + 100 < scrollLeft + clientWidth &&
    top >= scrollTop &&
    top + 40 < scrollTop + clientHeight
  )
}

function curve(a: Place, b: Place): string {
  const [x1, y1, x2, y2] = [a.x + nodeSize.width, a.y + nodeSize.height / 2, b.x, b.y + nodeSize.height / 2]
  const bend = Math.max(28, (x2 - x1) / 2)
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}

function fitting({ width }: Layout, box: HTMLElement | null): number {
  const room = box?.clientWidth ?? width
  const found = scales.findLastIndex((scale) => width * scale <= room)
  return Math.max(0, found)
}
