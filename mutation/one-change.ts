// Vitest loads this file before each test file in a process that tests one mutant (one small code change). It
// activates the mutant and ends endless loops.

const ENDS_AFTER_MS = 20_000

const endsAtMs = Date.now() + ENDS_AFTER_MS
const state = {
  activeMutant: process.env.MUTATION_CHANGE,
  hitCount: 0,
  get hitLimit() {
    return Date.now() < endsAtMs ? Number.POSITIVE_INFINITY : -1
  },
}
Object.assign(globalThis, { __stryker__: state })
