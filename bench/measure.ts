// What a measure is: it takes a stage and returns lines of the table, each a ratio taken in one run, or a figure with
// a bound of its own.

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
  /** Of one run of one side, its warm-up not counted. */
  seconds: number
  /** Where the product leaves CPU profiles; undefined: it makes none. */
  profiles: string | undefined
  /** For what is timed: on several sizes of data the rounds come alternately. */
  turn: Turn
  progress(line: string): void
}

/** One run of one side. */
export type Figure = {
  value: number
  /** What else was seen: percentiles, CPU time of an operation, late sends. */
  detail?: Record<string, number>
}

export type Bound = { atLeast: number } | { atMost: number }

/** A line of the table. The bound is of the ratio where there is a floor, else of the product's value. */
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
type InTurn = Pick<Line, 'floor' | 'product' | 'ratio'> & { rounds: { floor: Figure[]; product: Figure[] } }

/**
 * Floor and product in turn, each first every other time, so that neither always has the warmer machine. The ratio is
 * the median of the rounds' own ratios: what slows the machine down for a while slows both sides of a round.
 */
export async function inTurn(stage: Rounds, sides: Sides): Promise<InTurn> {
  const rounds: InTurn['rounds'] = { floor: [], product: [] }
  for (let round = 0; round < stage.rounds; round += 1) {
    const order = round % 2 === 0 ? (['floor', 'product'] as const) : (['product', 'floor'] as const)
    await stage.turn(async () => {
      for (const side of order) rounds[side].push(await sides[side]())
    })
    const [floor, product] = [rounds.floor, rounds.product].map(all => all[round] as Figure) as [
      Figure,
      Figure,
    ]
    stage.progress(`round ${round + 1}: floor ${told(floor)}, product ${told(product)}`)
  }
  return {
    floor: median(rounds.floor.map(({ value }) => value)),
    product: median(rounds.product.map(({ value }) => value)),
    ratio: median(rounds.product.map(({ value }, round) => value / (rounds.floor[round] as Figure).value)),
    rounds,
  }
}

/** One side alone, where no floor makes sense. */
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
