// Tests the command pnpm bench:check with made-up figures, because a real run takes two minutes.

import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Bound, Line } from './measure.ts'
import type { Report } from './report/report.ts'

const stop = vi.hoisted(() => vi.fn<() => Promise<void>>())
const runMeasures = vi.hoisted(() => vi.fn<() => Promise<Report>>())
vi.mock('./host/stage.ts', () => ({ setStages: async () => ({ stages: [], stop }) }))
vi.mock('./run.ts', () => ({ runMeasures }))

afterEach(() => {
  vi.resetAllMocks()
  vi.resetModules()
})

const ofRatio = (what: string, ratio: number, bound: Bound): Line => ({
  what,
  unit: '/s',
  floor: 1_000,
  product: 1_000 * ratio,
  ratio,
  bound,
  rounds: { product: [] },
})
const ofTime = (what: string, product: number, bound: Bound): Line => ({
  what,
  unit: 'ms',
  product,
  bound,
  rounds: { product: [] },
})

/** Returns the check's output and exit code. */
async function check(lines: Line[]): Promise<{ printed: string; exitCode: unknown }> {
  runMeasures.mockResolvedValue({
    at: new Date(0),
    machine: {
      ...{ cores: 2, processor: '', memoryGb: 16, system: '', node: '', postgres: '', settings: {} },
      wakeUp: { awakeUs: 30, asleepUs: 300 },
    },
    rounds: 3,
    seconds: 1,
    measured: [{ name: 'any', title: 'any', payments: 50_000, lines, curves: [] }],
  })
  const { exitCode } = process
  onTestFinished(() => {
    process.exitCode = exitCode
  })
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  await import('./check.ts')
  return { printed: write.mock.calls.map(([text]) => text).join(''), exitCode: process.exitCode }
}

test('if a result reaches less than half of its target, bench:check fails and names the result', async () => {
  const { printed, exitCode } = await check([
    ofRatio('get by id', 0.34, { atLeast: 0.7 }),
    ofRatio('create', 0.36, { atLeast: 0.7 }),
    ofTime('a time', 31, { atMost: 15 }),
    ofTime('another time', 119, { atMost: 60 }),
    ofRatio('callbacks applied', Number.NaN, { atLeast: 8 }),
  ])
  expect(printed.match(/^too slow: .*$/gm)).toEqual([
    'too slow: get by id',
    'too slow: a time',
    'too slow: callbacks applied',
  ])
  expect(exitCode).toBe(1)
})

test('bench:check passes if a result reaches half of its target', async () => {
  const { printed, exitCode } = await check([ofRatio('create', 0.36, { atLeast: 0.7 })])
  expect(printed).not.toContain('too slow')
  expect(printed).toMatch(/create .* ≥ 0\.35 +yes$/m)
  expect(exitCode).toBe(0)
})

test('if a measurement throws, bench:check fails and stops the services it measured', async () => {
  runMeasures.mockRejectedValue(new Error('a create load met a 500'))
  await expect(import('./check.ts')).rejects.toThrow('a create load met a 500')
  expect(stop).toHaveBeenCalledOnce()
})
