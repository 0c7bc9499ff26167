import { DOMParser } from '@xmldom/xmldom'
import { expect, test } from 'vitest'
import { svgOf } from './chart.ts'
import type { Curve } from './curve.ts'

const latency: Curve = {
  chart: 'latency-create',
  title: 'Latency of "create" < 100 ms & above',
  x: { label: 'requests per second' },
  y: { label: 'ms', scale: 'log' },
  series: [
    {
      name: 'floor p50',
      points: [
        [100, 1],
        [1_000, 4],
      ],
    },
    {
      name: 'product <p99> & more',
      points: [
        [100, 2],
        [1_000, 900],
      ],
    },
  ],
}

/** Renders the chart. Throws if the SVG is not well-formed. */
async function drawn(curve: Curve): Promise<{ texts: string[]; lines: number; source: string }> {
  const source = await svgOf(curve)
  const root = new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`)
    },
  }).parseFromString(source, 'image/svg+xml').documentElement
  expect(root?.namespaceURI).toBe('http://www.w3.org/2000/svg')
  const groups = [...(root?.getElementsByTagName('g') ?? [])]
  return {
    source,
    texts: [...(root?.getElementsByTagName('text') ?? [])].map(({ textContent }) => textContent ?? ''),
    lines: groups.filter(each => each.getAttribute('class')?.includes('mark-line role-mark')).length,
  }
}

test('a chart is well-formed SVG and shows all its texts, even if a text contains special characters', async () => {
  const { texts } = await drawn(latency)
  expect(texts).toEqual(
    expect.arrayContaining([
      latency.title,
      'requests per second',
      'ms',
      ...latency.series.map(({ name }) => name),
    ]),
  )
})

test('a chart draws each series as a separate line', async () => {
  expect((await drawn(latency)).lines).toBe(2)
})

test('a chart with a single series has no legend', async () => {
  const { texts } = await drawn({ ...latency, series: latency.series.slice(0, 1) })
  expect(texts).not.toContain('floor p50')
})

test.each(['linear', 'log'] as const)(
  'a chart with a single point on %s axes has valid coordinates',
  async scale => {
    const curve = { ...latency, x: { label: 'x', scale }, y: { label: 'y', scale } }
    const { source } = await drawn({ ...curve, series: [{ name: 'one', points: [[64, 8]] }] })
    expect(source).not.toMatch(/NaN|Infinity|undefined/)
  },
)

test('a logarithmic axis of a chart labels only some values, such as 1, 4 and 16', async () => {
  const points: [number, number][] = [1, 4, 16].map(x => [x, 10 * x])
  const { texts } = await drawn({
    ...latency,
    x: { label: 'callbacks that wait together', scale: 'log' },
    y: { label: 'applied', scale: 'linear' },
    series: [{ name: 'one', points }],
  })
  const at = texts.indexOf('callbacks that wait together')
  expect(texts.slice(0, at).filter(text => /^\d+$/.test(text))).toEqual(
    expect.arrayContaining(['1', '4', '16']),
  )
  expect(texts).not.toContain('2')
})
