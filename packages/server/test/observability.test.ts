// Checks that the alert rules, the Grafana dashboard, and their guide use only metrics that exist.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { registerPoolMetrics } from '../src/db/database-metrics.ts'
import { createDb } from '../src/db/db.ts'
import { createLog } from '../src/logging/log.ts'
import { observeBacklog } from '../src/metrics/backlog-metrics.ts'
import { observeProcess } from '../src/metrics/process-metrics.ts'
import { newRegistry } from '../src/metrics/registry.ts'
import { providerMetrics } from '../src/provider-accounts/provider-metrics.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Known = { type: string; labels: string[] }

/** The service's metrics by name. The test does not read the values of the metrics, so it needs no database. */
const known = await (async (): Promise<Map<string, Known>> => {
  const registry = newRegistry()
  const db = createDb('postgres://nobody@127.0.0.1:1/none', { max: 1 })
  afterAll(() => db.destroy())
  registerPoolMetrics(db, registry)
  observeBacklog({ db, log: createLog('silent') }, registry)
  providerMetrics(registry)
  observeProcess(registry, 'all')
  return new Map(
    registry.getMetricsAsArray().map(metric => {
      const { name, type, labelNames } = metric as unknown as {
        name: string
        type?: string
        labelNames: string[]
      }
      const kind = type ?? metric.constructor.name.toLowerCase()
      return [name, { type: kind, labels: labelNames }]
    }),
  )
})()

const series = new Map(
  [...known].flatMap(([name, { type, labels }]) =>
    type === 'histogram'
      ? ['_bucket', '_sum', '_count'].map(
          end => [name + end, end === '_bucket' ? [...labels, 'le'] : labels] as const,
        )
      : [[name, labels] as const],
  ),
)
series.set('up', [])
// The metric kube_job_status_failed is exported by kube-state-metrics (docs/metrics/workload/job-metrics.md), not
// by the service.
series.set('kube_job_status_failed', ['namespace', 'job_name', 'reason'])

/** Returns the errors in a PromQL expression. */
function faultsOf(expression: string): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m')
  const faults: string[] = []
  const metrics: string[] = []
  const labels: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      const word = text.slice(from, to)
      if (type.isError) faults.push(`does not parse at ${from}: ${text}`)
      if (type.name === 'VectorSelector')
        metrics.push(text.slice(from, node.getChild('LabelMatchers')?.from ?? to).trim())
      if (type.name === 'LabelName') labels.push(word)
    },
  })
  if (metrics.length === 0) faults.push(`asks for no metric: ${text}`)
  for (const metric of metrics) if (!series.has(metric)) faults.push(`there is no ${metric}`)
  const given = new Set([...metrics.flatMap(metric => series.get(metric) ?? []), 'job', 'instance'])
  for (const label of labels)
    if (!given.has(label)) faults.push(`${metrics.join(', ')} has no label ${label}`)
  return faults
}

test("this file's Prometheus query check finds unknown metrics, unknown labels, and invalid syntax", () => {
  expect(faultsOf('sum(rate(gapura_callbacks_settled_total[5m]))')).toEqual([])
  expect(faultsOf('sum(rate(gapura_callbacks_settled_total[5m])')).not.toEqual([])
  expect(faultsOf('gapura_callbacks_setled_total')).toEqual(['there is no gapura_callbacks_setled_total'])
  expect(faultsOf('sum by (color) (gapura_callbacks_settled_total{outcom="x"})')).toHaveLength(2)
  expect(faultsOf('1 + 1')).toHaveLength(1)
})

type Rule = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string }
}
const { groups } = parse(read('deploy/prometheus/gapura.rules.yml')) as {
  groups: { name: string; rules: Rule[] }[]
}
const rules = groups.flatMap(group => group.rules)
const page = read('docs/guides/observability.md')
/** Reads the rows of all tables in docs/guides/observability.md. Maps each row's first cell to the other cells. */
const rows = new Map(
  [...page.matchAll(/^\| `(\w+)` *\|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    rest.split('|').map(cell => cell.trim()),
  ]),
)

describe('every alert rule queries existing metrics and is documented in docs/guides/observability.md', () => {
  test.each(rules)(
    'the alert rule $alert queries only existing metrics and has a severity, and docs/guides/observability.md documents how to respond to it',
    rule => {
      expect(faultsOf(rule.expr)).toEqual([])
      expect(rule.alert).toMatch(/^Gapura[A-Z]\w+$/)
      expect(rule.for ?? '0m').toMatch(/^\d+[mhd]$/)
      expect(['page', 'ticket']).toContain(rule.labels.severity)
      expect(rule.annotations.summary.length).toBeGreaterThan(20)
      expect(rows.get(rule.alert)?.[0]?.length ?? 0).toBeGreaterThan(40)
    },
  )

  test('the alert rules have unique names and groups', () => {
    expect(new Set(rules.map(rule => rule.alert)).size).toBe(rules.length)
    expect(new Set(groups.map(group => group.name)).size).toBe(groups.length)
  })

  test('the alert rules are exactly those documented in docs/guides/observability.md', () => {
    const described = [...rows.keys()].filter(name => name.startsWith('Gapura'))
    expect(described.sort()).toEqual(rules.map(rule => rule.alert).sort())
  })
})

type Panel = {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  fieldConfig?: { defaults: { unit: string } }
  datasource?: { uid: string }
  targets?: { refId: string; expr: string; legendFormat: string }[]
}
const dashboard = JSON.parse(read('deploy/grafana/gapura.json')) as {
  uid: string
  title: string
  schemaVersion: number
  templating: { list: { name: string; type: string }[] }
  panels: Panel[]
}
const charts = dashboard.panels.filter(panel => panel.type !== 'row')

describe('the Grafana dashboard can be imported, and queries only metrics that exist', () => {
  test('the Grafana dashboard can be imported, and every panel uses the selected Prometheus data source', () => {
    expect(dashboard).toMatchObject({ uid: 'gapura', title: 'Gapura', schemaVersion: expect.any(Number) })
    expect(dashboard.templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }])
    expect(new Set(dashboard.panels.map(panel => panel.id)).size).toBe(dashboard.panels.length)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own variable
    for (const panel of charts) expect(panel.datasource?.uid).toBe('${datasource}')
  })

  test('no panel of the Grafana dashboard overlaps another panel or extends beyond the grid', () => {
    const taken = new Set<string>()
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), `${title} covers another`).toBe(false)
          taken.add(`${x} ${y}`)
        }
    }
  })

  test.each(charts)(
    'the panel $title of the Grafana dashboard queries existing metrics and has a unit',
    panel => {
      expect(panel.targets?.length).toBeGreaterThan(0)
      for (const { expr, legendFormat } of panel.targets ?? []) {
        expect(faultsOf(expr)).toEqual([])
        const kept = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? ['instance']
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept).toContain(label)
      }
      expect(panel.fieldConfig?.defaults.unit).toBeTruthy()
    },
  )
})

describe('the metrics page lists exactly the metrics of the service', () => {
  test("the metrics page lists exactly the service's metrics, with their labels", () => {
    const documented = [...rows].filter(([name]) => name.startsWith('gapura_'))
    const ours = [...known].filter(([name]) => name.startsWith('gapura_'))
    const labelsOf = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, label]) => label)
    expect(new Map(documented.map(([name, [labels]]) => [name, labelsOf(labels)]))).toEqual(
      new Map(ours.map(([name, { labels }]) => [name, [...labels]])),
    )
  })
})

test('all metric names follow the Prometheus conventions', () => {
  for (const [name, { type, labels }] of known) {
    if (!name.startsWith('gapura_')) continue
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(name).not.toMatch(/_(ms|milliseconds|minutes)\b/)
    for (const label of labels) expect(label).toMatch(/^[a-z_]+$/)
  }
  expect(known.get('gapura_batch_size')?.type).toBe('histogram')
})
