// The data of a chart, independent of how it is drawn.

export type Axis = { label: string; scale?: 'linear' | 'log' }

export type Curve = {
  /** The name of the chart's file. All curves with the same name are drawn in one chart. */
  chart: string
  title: string
  x: Axis
  y: Axis
  series: { name: string; points: [x: number, y: number][] }[]
}

/**
 * Adds `suffix` to the name of each line in the chart, so that lines from different runs can be
 * distinguished.
 */
export const named = (curve: Curve, suffix: string): Curve => ({
  ...curve,
  series: curve.series.map(({ name, points }) => ({ name: `${name}${suffix}`, points })),
})

export function together(curves: Curve[]): Curve[] {
  const charts = new Map<string, Curve>()
  for (const curve of curves) {
    const known = charts.get(curve.chart)
    charts.set(curve.chart, known ? { ...known, series: [...known.series, ...curve.series] } : curve)
  }
  return [...charts.values()]
}
