// Measures the duration of each step that a new user follows to get started.

import { stripVTControlCharacters } from 'node:util'
import type { Step } from '../docs/parse-page.ts'

/** `page` is the documentation page that describes the step. It is empty if no page describes the step. */
export type Measured = { page: string; step: string; seconds: number }

export type Stopwatch = {
  steps: Measured[]
  time<Result>(page: string, step: string, run: () => Promise<Result>): Promise<Result>
  /**
   * Returns a function for the option `around` of `runPage`. It measures how long each step of the
   * documentation page `page` takes.
   */
  around(page: string): (step: Step, run: () => Promise<void>) => Promise<void>
}

export function newStopwatch(report: (measured: Measured) => void = () => {}): Stopwatch {
  const steps: Measured[] = []
  const time: Stopwatch['time'] = async (page, step, run) => {
    const startedMs = performance.now()
    try {
      return await run()
    } finally {
      const measured = { page, step, seconds: (performance.now() - startedMs) / 1_000 }
      steps.push(measured)
      report(measured)
    }
  }
  return { steps, time, around: page => (step, run) => time(page, titleOf(step), run) }
}

function titleOf(step: Step): string {
  const lines = step.code
    .trim()
    .split('\n')
    .map(line => line.trim())
  const first = lines.find(line => line !== '…') ?? ''
  const more = lines.length > 1 && step.kind !== 'output' ? ' …' : ''
  switch (step.kind) {
    case 'command':
      return first + more
    case 'output':
      return `(prints) ${stripVTControlCharacters(first)}`
    case 'file':
      return `(writes) ${step.title}`
    case 'patch':
      return `(changes) ${first}`
  }
}

/** Formats the duration of a step, or the total duration, as a table row for a terminal. */
export const row = ({ seconds, page, step }: Measured): string =>
  `${seconds.toFixed(1).padStart(7)} s  ${page.padEnd(26)}  ${step.slice(0, 90)}`.trimEnd()

export const total = (steps: Measured[]): Measured => ({
  page: '',
  step: 'in total',
  seconds: steps.reduce((sum, { seconds }) => sum + seconds, 0),
})
