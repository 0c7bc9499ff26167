// Runs each test once as it is, then once for every change that it reached and that no test has noticed yet. All of it
// happens in one process, so that a change costs one call of a test and not a start of the test runner.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'

type Coverage = { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
type Switch = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: Coverage
}

const results = process.env.MUTATION_RESULTS as string
/** A loop that a change made endless ends after so many times the usual number of passes. */
const HIT_FACTOR = 1_000
const TIMEOUT_MS = 20_000

/** What the instrumented code reads to know which change is on. */
function switchOf(global: { __stryker__?: Switch }): Switch {
  global.__stryker__ ??= {}
  return global.__stryker__
}

export default class MutationRunner extends TestRunner {
  #switch = switchOf(globalThis)
  #killed = new Set<string>()
  #isBroken = false

  override onCollectStart(...args: Parameters<TestRunner['onCollectStart']>): void {
    if (existsSync(results))
      for (const line of readFileSync(results, 'utf8').split('\n').filter(Boolean)) {
        const { id, status } = JSON.parse(line)
        if (status === 'killed' || status === 'timeout') this.#killed.add(id)
      }
    super.onCollectStart?.(...args)
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test)
    const again = repeated(test, run)
    const state = this.#switch
    state.mutantCoverage ??= { static: {}, perTest: {} }
    state.currentTestId = test.id
    try {
      await run()
    } finally {
      state.currentTestId = undefined
    }
    const reached = Object.entries(state.mutantCoverage.perTest[test.id] ?? {})
    if (reached.length === 0) return
    if (this.#isBroken || !(await this.#passes(again))) return this.#note(test, reached, 'not-repeatable')
    for (const [at, [id, hits]] of reached.entries()) {
      if (this.#killed.has(id)) continue
      const status = await this.#outcome(again, id, hits)
      if (status !== 'survived') this.#killed.add(id)
      this.#note(test, [[id, hits]], status)
      // What a change left behind must not kill the next one.
      if (status !== 'survived' && !(await this.#passes(again))) {
        this.#isBroken = true
        return this.#note(test, reached.slice(at + 1), 'not-repeatable')
      }
    }
  }

  override onAfterRunFiles(...args: Parameters<TestRunner['onAfterRunFiles']>): void {
    for (const id of Object.keys(this.#switch.mutantCoverage?.static ?? {}))
      appendFileSync(results, `${JSON.stringify({ id, status: 'static' })}\n`)
    super.onAfterRunFiles?.(...args)
  }

  async #passes(run: () => unknown): Promise<boolean> {
    try {
      await run()
      return true
    } catch {
      return false
    }
  }

  async #outcome(run: () => unknown, id: string, hits: number): Promise<'survived' | 'killed' | 'timeout'> {
    const at = this.#switch
    Object.assign(at, { activeMutant: id, hitCount: 0, hitLimit: hits * HIT_FACTOR })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'timeout'>(resolve => {
      timer = setTimeout(() => resolve('timeout'), TIMEOUT_MS)
    })
    try {
      return await Promise.race([Promise.resolve(run()).then(() => 'survived' as const), late])
    } catch {
      return 'killed'
    } finally {
      clearTimeout(timer)
      Object.assign(at, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
    }
  }

  #note(test: RunnerTestCase, mutants: [string, number][], status: string): void {
    const file = test.file.name
    for (const [id] of mutants)
      appendFileSync(results, `${JSON.stringify({ id, status, test: `${file}: ${test.name}` })}\n`)
  }
}

/** The test once more, between the hooks that Vitest runs before and after each test. */
function repeated(test: RunnerTestCase, run: () => unknown): () => Promise<void> {
  const suites: RunnerTestSuite[] = []
  for (let suite = test.suite ?? test.file; ; suite = suite.suite ?? test.file) {
    suites.unshift(suite)
    if (suite === test.file) break
  }
  const hooks = (name: 'beforeEach' | 'afterEach') =>
    suites.flatMap(suite =>
      (TestRunner.getSuiteHooks(suite)[name] ?? []).map(hook => () => hook(test.context, suite as never)),
    )
  return async () => {
    for (const hook of hooks('afterEach').reverse()) await hook()
    for (const hook of hooks('beforeEach')) await hook()
    await run()
  }
}
