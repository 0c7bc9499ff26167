// A chart's data, apart from how it is drawn.

export type Axis = { label: string; scale?: 'linear' | 'log' }

export type Curve = {
  /** The file's name. Curves of one chart are drawn into it together. */
  chart: string
  title: string
  x: Axis
  y: Axis
  series: { name: string; points: [x: number, y: number][] }[]
}

/** suffix: what tells one run's series from another's. */
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
