// A measure is one benchmark. It runs on a prepared database, the stage, and returns lines for the results table. A
// line contains either a ratio or a single figure with its own limit. A ratio compares the service (the product) with a
// minimal reference program (the floor).

import type { Database } from './host/database.ts'
import type { Postgres } from './host/postgres.ts'
import type { Sandbox } from './host/sandbox.ts'
import type { Curve } from './report/curve.ts'
import type { Turn } from './turns.ts'

export type Stage = {
  postgres: Postgres
  database: Database
  sandbox: Sandbox
  rounds: number
  /**
   * The duration of one run in seconds, without the warm-up. A run measures the service or the minimal reference
   * program (`floor`).
   */
  seconds: number
  /** The directory for the service's CPU profiles, or undefined if no profiles are recorded. */
  profiles: string | undefined
  /**
   * Runs the timed code of one round of the benchmark. If the benchmark runs with several data sizes, rounds
   * with different data sizes alternate.
   */
  turn: Turn
  progress(line: string): void
}

/** The result of one run, which measures the service or the minimal reference program (`floor`). */
export type Figure = {
  value: number
  /**
   * Further figures from the run, such as percentiles, the CPU time per operation and the number of requests
   * sent late.
   */
  detail?: Record<string, number>
}

export type Bound = { atLeast: number } | { atMost: number }

/**
 * A line in the results table. `bound` is the limit to meet. The limit applies to the service's value divided by the
 * value of a reference program (`floor`). If there is no reference program, the limit applies to the service's value.
 */
export type Line = {
  what: string
  unit: string
  product: number
  floor?: number
  ratio?: number
  bound?: Bound
  rounds: { product: Figure[]; floor?: Figure[] }
}

export type Result = { lines: Line[]; curves?: Curve[] }

export type Measure = {
  name: string
  title: string
  run(stage: Stage): Promise<Result>
}

export const isMet = ({ bound, ratio, product }: Line): boolean | undefined => {
  if (!bound) return undefined
  const value = ratio ?? product
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost
}

type Rounds = Pick<Stage, 'rounds' | 'turn' | 'progress'>
type Sides = Record<'floor' | 'product', () => Promise<Figure>>
/**
 * The results of the reference program (floor) and of the service (product). Each list has one result per
 * round.
 */
export type RoundsOfBoth = { floor: Figure[]; product: Figure[] }
type InTurn = Pick<Line, 'floor' | 'product' | 'ratio'> & { rounds: RoundsOfBoth }

/**
 * Measures the reference program (floor) and the service (product) in rounds, alternating which program runs first. The
 * result is the median of the rounds' ratios, each the service's value divided by the reference program's value. A
 * temporary slowdown affects both programs of a round, so it hardly changes the ratio.
 */
export async function inTurn(stage: Rounds, sides: Sides): Promise<InTurn> {
  const rounds: RoundsOfBoth = { floor: [], product: [] }
  for (let round = 0; round < stage.rounds; round += 1) {
    const order = round % 2 === 0 ? (['floor', 'product'] as const) : (['product', 'floor'] as const)
    await stage.turn(async () => {
      for (const side of order) rounds[side].push(await sides[side]())
    })
    const [floor, product] = [rounds.floor, rounds.product].map(all => all[round] as Figure) as [
      Figure,
      Figure,
    ]
    stage.progress(
      `round ${round + 1}: reference program (floor) ${told(floor)}, service (product) ${told(product)}`,
    )
  }
  return compared(rounds)
}

/**
 * Returns the median of the service's results, the median of the reference program's results, and the median
 * of their ratios. Each round must contain a result of both programs.
 */
export function compared(rounds: RoundsOfBoth): InTurn {
  return {
    floor: median(rounds.floor.map(({ value }) => value)),
    product: median(rounds.product.map(({ value }) => value)),
    ratio: median(rounds.product.map(({ value }, round) => value / (rounds.floor[round] as Figure).value)),
    rounds,
  }
}

/**
 * Measures the service alone. Used by benchmarks that do not compare the service with a reference program
 * (floor).
 */
export async function repeated(
  stage: Rounds,
  run: () => Promise<Figure>,
): Promise<Pick<Line, 'product' | 'rounds'>> {
  const product: Figure[] = []
  for (let round = 0; round < stage.rounds; round += 1) {
    const figure = await stage.turn(run)
    product.push(figure)
    stage.progress(`round ${round + 1}: ${told(figure)}`)
  }
  return { product: median(product.map(({ value }) => value)), rounds: { product } }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

const rounded = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

function told({ value, detail = {} }: Figure): string {
  const more = Object.entries(detail).map(([name, each]) => `${name} ${rounded(each)}`)
  return more.length === 0 ? rounded(value) : `${rounded(value)} (${more.join(', ')})`
}
