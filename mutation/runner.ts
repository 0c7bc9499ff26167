// Runs each test file without a mutant, then once for each surviving mutant that its tests execute. A run stops at the
// first failing test. All runs share one process, so the test runner starts only once.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type RunnerTestCase, type RunnerTestFile, TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'
import { beginRun, shareDatabases } from './database.ts'

/** The number of times each mutant was executed, by mutant ID. */
type Hits = Record<string, number>
type Switch = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> }
}
/**
 * A mutant and the tests that reach it. If `reloads` is true, the modules are loaded again while the mutant
 * is active.
 */
type Change = { id: string; tests: Set<string>; reloads: boolean }
type Failure = { status: 'killed' | 'timeout'; test: string | undefined; testId?: string }
type Outcome = { id: string; status: 'survived' | Failure['status']; test: string | undefined; path: string }

const results = process.env.MUTATION_RESULTS as string
/**
 * A mutant may make a test wait forever. A test is stopped after LATE_FACTOR times its usual duration plus
 * LATE_AFTER_MS.
 */
const LATE_AFTER_MS = 4_000
const LATE_FACTOR = 8
/** The time limit for loading a test file's modules and running its hooks. */
const LOADED_WITHIN_MS = 30_000
/**
 * After this many mutants, the test file is run without a mutant and must pass. If it fails, an earlier mutant may
 * have left something behind, so the latest mutants are tested again.
 */
const CHANGES_BETWEEN_CHECKS = 25

/** Instrumented code reads the active mutant from this state. The process always uses the same object. */
const shared = globalThis as { __stryker__?: Switch }
shared.__stryker__ ??= {}
const state = shared.__stryker__

/** The time in milliseconds. Tests may replace `Date` and `performance.now`, so the original function is used. */
const clockMs = performance.now.bind(performance)
let endsAtMs = Number.POSITIVE_INFINITY
/**
 * Mutated code reads `hitLimit` each time it runs. After the time limit, the value is -1, which ends an endless
 * loop created by a mutant.
 */
Object.defineProperty(state, 'hitLimit', {
  configurable: true,
  get: () => (clockMs() < endsAtMs ? Number.POSITIVE_INFINITY : -1),
})

// fast-check does not shrink a counterexample here. Shrinking takes up to a thousand more runs, and only the
// failure matters.
fc.configureGlobal({ endOnFailure: true })

export default class MutationRunner extends TestRunner {
  #durationsMs = new Map<string, number>()

  /** Reloads the modules. This shows which mutants each test file executes while the modules load. */
  onBeforeCollect(): void {
    vi.resetModules()
    state.mutantCoverage = { static: {}, perTest: {} }
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const startedMs = clockMs()
    state.currentTestId = test.id
    try {
      await TestRunner.getTestFn(test)()
    } finally {
      state.currentTestId = undefined
      this.#durationsMs.set(test.id, clockMs() - startedMs)
    }
  }

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles(files)
    const [file] = files
    if (file?.result?.state !== 'pass') return
    // Vitest sends results every 100 ms. The results of the run without a mutant must be sent first, because runs
    // with mutants send none.
    await sleep(500)
    const { static: atLoad, perTest } = state.mutantCoverage as NonNullable<Switch['mutantCoverage']>
    // Coverage is recorded only in the run without a mutant, because runs with mutants do not need it.
    state.currentTestId = 'none'
    await this.#tryChanges(file.filepath, atLoad, perTest)
    state.currentTestId = undefined
  }

  async #tryChanges(path: string, atLoad: Hits, perTest: Record<string, Hits>): Promise<void> {
    const trial = new Trial(this.config, this.moduleRunner, this._otel, this.#durationsMs)
    const noted = noticed()
    const passesAlone = new Map<string, boolean>()
    const canPassAlone = async (test: string) => {
      const known = passesAlone.get(test) ?? !(await trial.run(path, { tests: new Set([test]) }))
      passesAlone.set(test, known)
      return known
    }
    const outcomeOf = async ({ tests, ...change }: Change): Promise<Outcome> => {
      let failure = await trial.run(path, change.reloads ? change : { ...change, tests })
      // If the failed test also fails alone and without a mutant, it depends on earlier tests. The mutant is then
      // tested with all of the file's tests.
      if (failure?.testId && !change.reloads && !(await canPassAlone(failure.testId)))
        failure = await trial.run(path, change)
      return { id: change.id, status: failure?.status ?? 'survived', test: failure?.test, path }
    }
    const passes = async () => !(await trial.run(path))

    shareDatabases(true)
    const canShare = (await passes()) && (await passes())
    let unchecked: { change: Change; outcome: Outcome }[] = []
    /**
     * Checks that the test file still passes without a mutant. A mutant may have changed the process or the
     * database in a way that makes later tests fail.
     */
    const check = async () => {
      if (!(await passes())) {
        shareDatabases(false)
        vi.resetModules()
        if (!(await passes())) throw new Error(`${path} fails without a mutant`)
        for (const each of unchecked) each.outcome = await outcomeOf(each.change)
        vi.resetModules()
        if (!(await passes())) throw new Error(`${path} fails without a mutant`)
      }
      for (const { outcome } of unchecked) appendFileSync(results, `${JSON.stringify(outcome)}\n`)
      unchecked = []
      shareDatabases(canShare)
    }
    shareDatabases(canShare)
    const inTests = Object.values(perTest).flatMap(Object.keys)
    // Some mutants run while the modules load. They are tested last, because each requires loading the modules
    // again.
    for (const id of new Set([...inTests.filter(each => !(each in atLoad)), ...Object.keys(atLoad)])) {
      if (noted.has(id)) continue
      const tests = new Set(Object.keys(perTest).filter(test => id in (perTest[test] as Hits)))
      const change = { id, tests, reloads: id in atLoad }
      const outcome = await outcomeOf(change)
      unchecked.push({ change, outcome })
      if (outcome.status === 'timeout' || unchecked.length >= CHANGES_BETWEEN_CHECKS) await check()
    }
    vi.resetModules()
    await check()
    shareDatabases(false)
  }
}

/** Runs the test file again without reporting the results to Vitest. */
class Trial extends TestRunner {
  #usualMs: Map<string, number>
  #tests: Set<string> | undefined
  #failure: Failure | undefined

  constructor(
    config: TestRunner['config'],
    moduleRunner: TestRunner['moduleRunner'],
    traces: TestRunner['_otel'],
    usualMs: Map<string, number>,
  ) {
    super({ ...config, hookTimeout: LOADED_WITHIN_MS })
    Object.assign(this, { moduleRunner })
    this.__setTraces(traces)
    this.#usualMs = usualMs
  }

  /** Runs the tests (by default all) with the mutant active. Returns undefined if every test passes. */
  async run(path: string, { tests, id, reloads }: Partial<Change> = {}): Promise<Failure | undefined> {
    this.#tests = tests
    this.#failure = undefined
    if (reloads) vi.resetModules()
    beginRun()
    endsAtMs = clockMs() + LOADED_WITHIN_MS
    Object.assign(state, { activeMutant: id, hitCount: 0 })
    try {
      const [file] = await startTests([path], this)
      if (file?.result?.state !== 'pass') this.#failure ??= { status: 'killed', test: file?.name }
    } catch {
      this.#failure ??= { status: 'killed', test: path }
    } finally {
      Object.assign(state, { activeMutant: undefined, hitCount: undefined })
      vi.restoreAllMocks()
    }
    return this.#failure
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.#failure || (this.#tests && !this.#tests.has(test.id))) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const limitMs = LATE_AFTER_MS + LATE_FACTOR * (this.#usualMs.get(test.id) ?? 0)
    endsAtMs = clockMs() + limitMs
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`timed out after ${limitMs} ms`)), limitMs)
    })
    try {
      await Promise.race([TestRunner.getTestFn(test)(), late])
    } catch (error) {
      const status = clockMs() < endsAtMs ? 'killed' : 'timeout'
      this.#failure ??= { status, test: test.name, testId: test.id }
      throw error
    } finally {
      clearTimeout(timer)
      endsAtMs = clockMs() + LOADED_WITHIN_MS
    }
  }
}

/** Returns the IDs of mutants that were killed or timed out. */
function noticed(): Set<string> {
  if (!existsSync(results)) return new Set()
  const outcomes: Outcome[] = readFileSync(results, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  return new Set(outcomes.filter(({ status }) => status !== 'survived').map(({ id }) => id))
}
