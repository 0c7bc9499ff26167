// Renders charts as SVG without a browser.

import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { Axis, Curve } from './curve.ts'

const WIDTH = 640
const HEIGHT = 320
/**
 * The maximum number of characters in the name of a chart's data series. Two names of this length fit on one
 * line of the legend.
 */
const HALF_A_LINE = 40

export async function svgOf(curve: Curve): Promise<string> {
  const { spec } = compile(specOf(curve))
  const view = new View(parse(spec), { renderer: 'none' })
  try {
    return `${await view.toSVG()}\n`
  } finally {
    view.finalize()
  }
}

function specOf({ title, x, y, series }: Curve): TopLevelSpec {
  const values = series.flatMap(({ name, points }) => points.map(([x, y]) => ({ series: name, x, y })))
  const columns = series.some(({ name }) => name.length > HALF_A_LINE) ? 1 : 2
  return {
    title: { text: title, anchor: 'start', offset: 16 },
    width: WIDTH,
    height: HEIGHT,
    padding: 16,
    background: 'white',
    data: { values },
    // If every series has few points, each point is marked. A series with many points is readable without marks.
    mark: { type: 'line', point: series.every(({ points }) => points.length <= 30) },
    encoding: {
      x: {
        field: 'x',
        type: 'quantitative',
        ...drawn(
          x,
          values.map(value => value.x),
        ),
      },
      y: {
        field: 'y',
        type: 'quantitative',
        ...drawn(
          y,
          values.map(value => value.y),
        ),
      },
      color: {
        field: 'series',
        type: 'nominal',
        sort: series.map(({ name }) => name),
        legend: series.length > 1 ? { title: null, orient: 'bottom', columns, labelLimit: 0 } : null,
      },
    },
    config: { font: 'sans-serif', axis: { titlePadding: 10, gridColor: '#e5e5e5' }, view: { stroke: null } },
  }
}

/** The maximum number of tick labels on an axis. More labels would overlap. */
const MOST_TICKS = 10

/**
 * Defines an axis of a chart. A logarithmic axis cannot start at zero. If the axis has few values, its ticks are
 * exactly these values.
 */
function drawn({ label, scale = 'linear' }: Axis, found: number[]) {
  if (scale === 'linear') return { scale: { type: scale, zero: true }, axis: { title: label } }
  const values = [...new Set(found)].sort((a, b) => a - b)
  return {
    scale: { type: scale, domain: [values.at(0) ?? 1, values.at(-1) ?? 1], nice: values.length > MOST_TICKS },
    axis: { title: label, format: ',~r', ...(values.length <= MOST_TICKS ? { values } : { tickCount: 6 }) },
  }
}
