// Writes a run's results to the terminal and to files: JSON, a page with the results table, and charts.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { svgOf } from './chart.ts'
import { type Curve, named, together } from './curve.ts'
import { growthCurve, growthLines, type Measured } from './growth.ts'
import type { Machine } from './machine.ts'
import { markdownTable, table } from './table.ts'

export type Report = {
  at: Date
  machine: Machine
  rounds: number
  /** The duration in seconds of one run of the service or the reference program (floor). */
  seconds: number
  measured: Measured[]
}

export function terminal(report: Report): string {
  const grown = growthLines(report.measured)
  return [
    `${described(report).join('\n')}\n`,
    ...bySize(report).map(([title, lines]) => `${title}\n\n${table(lines)}`),
    ...(grown.length > 0 ? [`Effect of database size\n\n${table(grown)}`] : []),
  ].join('\n')
}

/**
 * Writes the report to <directory>/<day>.json and .md, and its charts to <day>-<chart>.svg. Returns the path to the
 * Markdown page.
 */
export async function writeReport(directory: string, report: Report): Promise<string> {
  const day = report.at.toISOString().slice(0, 10)
  const charts = chartsOf(report)
  await mkdir(directory, { recursive: true })
  const write = async (name: string, content: string) => {
    await writeFile(join(directory, name), content)
    return join(directory, name)
  }
  await write(`${day}.json`, `${JSON.stringify(report, null, 2)}\n`)
  await Promise.all(charts.map(async each => write(fileOf(day, each), await svgOf(each))))
  return write(`${day}.md`, page(report, day, charts))
}

const fileOf = (day: string, { chart }: Curve): string => `${day}-${chart}.svg`

function page(report: Report, day: string, charts: Curve[]): string {
  const grown = growthLines(report.measured)
  return [
    `# Measured on ${day}\n`,
    `${described(report)
      .map(line => `- ${line}`)
      .join('\n')}\n`,
    ...bySize(report).map(([title, lines]) => `## ${title}\n\n${markdownTable(lines)}`),
    ...(grown.length > 0 ? [`## Effect of database size\n\n${markdownTable(grown)}`] : []),
    ...charts.map(each => `## ${each.title}\n\n![${each.title}](${fileOf(day, each)})\n`),
  ].join('\n')
}

function described({ machine, rounds, seconds, at }: Report): string[] {
  const settings = Object.entries(machine.settings).map(([name, value]) => `${name} = ${value}`)
  return [
    `${at.toISOString()}, ${machine.cores} cores of ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}`,
    `Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync, ${settings.join(', ')}`,
    `Another process answers a message after ${machine.wakeUp.awakeUs} µs, or after ${machine.wakeUp.asleepUs} µs if the processes sleep before each message`,
    `Medians of ${rounds} rounds of about ${seconds} s; the rounds alternate between the reference program (floor) and the service (product); the load generator, the service, the provider and the receiver are separate processes`,
  ]
}

function bySize({ measured }: Report): [title: string, lines: Measured['lines']][] {
  const sizes = [...new Set(measured.map(({ payments }) => payments))].sort((a, b) => a - b)
  return sizes.map(payments => [
    `With ${payments.toLocaleString('en')} payments in the database`,
    measured.filter(each => each.payments === payments).flatMap(({ lines }) => lines),
  ])
}

/** Returns the charts. If a chart covers several data sets, each series is labeled with the size of its data set. */
function chartsOf({ measured }: Report): Curve[] {
  const sized = measured.flatMap(({ curves, payments }) => curves.map(curve => ({ curve, payments })))
  const isOfSeveral = ({ chart }: Curve) =>
    new Set(sized.filter(({ curve }) => curve.chart === chart).map(({ payments }) => payments)).size > 1
  const curves = sized.map(({ curve, payments }) =>
    isOfSeveral(curve) ? named(curve, `, ${payments.toLocaleString('en')} payments`) : curve,
  )
  const growth = growthCurve(measured)
  return together(growth ? [...curves, growth] : curves)
}
