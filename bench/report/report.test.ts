import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Line } from '../measure.ts'
import type { Curve } from './curve.ts'
import type { Measured } from './growth.ts'
import { type Report, terminal, writeReport } from './report.ts'

const curve = (chart: string): Curve => ({
  chart,
  title: `Chart of ${chart}`,
  x: { label: 'x' },
  y: { label: 'y' },
  series: [
    {
      name: 'product',
      points: [
        [1, 1],
        [2, 3],
      ],
    },
  ],
})

function measured(name: string, payments: number, ratio: number): Measured {
  const line: Line = {
    what: name,
    unit: '/s',
    floor: 1_000,
    product: 1_000 * ratio,
    ratio,
    bound: { atLeast: 0.7 },
    rounds: { product: [], floor: [] },
  }
  return { name, title: name, payments, lines: [line], curves: [curve(name)] }
}

const report: Report = {
  at: new Date('2026-11-22T06:00:00Z'),
  machine: {
    cores: 2,
    processor: 'a processor',
    memoryGb: 16,
    system: 'linux x64',
    node: 'v26.10.0',
    postgres: '18.4',
    settings: { shared_buffers: '1GB' },
    wakeUp: { awakeUs: 33, asleepUs: 326 },
  },
  rounds: 5,
  seconds: 5,
  measured: [
    measured('create', 50_000, 0.9),
    measured('create', 5_000_000, 0.6),
    measured('get', 50_000, 0.8),
  ],
}

async function written(): Promise<{ directory: string; page: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-report-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return { directory, page: await writeReport(directory, report) }
}

test('the files of a benchmark report are named after the date of the run', async () => {
  const { directory, page } = await written()
  expect(page).toBe(join(directory, '2026-11-22.md'))
  const charts = ['create', 'get', 'growth'].map(chart => `2026-11-22-${chart}.svg`)
  expect((await readdir(directory)).sort()).toEqual([...charts, '2026-11-22.json', '2026-11-22.md'].sort())
  const shown = [...(await readFile(page, 'utf8')).matchAll(/^!\[.+\]\((.+)\)$/gm)].map(([, file]) => file)
  expect(shown.sort()).toEqual(charts)
})

test('the JSON report contains every measurement of the run', async () => {
  const { directory } = await written()
  const kept = JSON.parse(await readFile(join(directory, '2026-11-22.json'), 'utf8'))
  expect(kept).toEqual(JSON.parse(JSON.stringify(report)))
})

test('one chart shows a curve for each data set, labeled with the name of the data set', async () => {
  const { directory } = await written()
  const read = (chart: string) => readFile(join(directory, `2026-11-22-${chart}.svg`), 'utf8')
  expect(await read('create')).toContain('product, 50,000 payments')
  expect(await read('create')).toContain('product, 5,000,000 payments')
  expect(await read('get')).not.toContain('payments')
})

test('the benchmark report shows the machine, every result and every missed target', async () => {
  const { page } = await written()
  for (const text of [await readFile(page, 'utf8'), terminal(report)]) {
    for (const told of [
      '2 cores of a processor, 16 GB, linux x64',
      'Node v26.10.0, PostgreSQL 18.4 with fsync, shared_buffers = 1GB',
      'Another process answers a message after 33 µs, or after 326 µs if the processes sleep before each message',
      'Medians of 5 rounds of about 5 s',
      'With 50,000 payments in the database',
      'With 5,000,000 payments in the database',
      'Effect of database size',
      'create: 5,000,000 payments; 50,000',
    ])
      expect(text).toContain(told)
    // Two results miss their limits: the rate of `create` on the large data set, and the ratio of this rate to the rate
    // on the small data set.
    expect(text.match(/\bNO\b/g)).toHaveLength(2)
  }
})
