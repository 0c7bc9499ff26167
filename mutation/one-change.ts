// Run before each test file of a process that tries one change: turns the change on, and ends a loop that it made
// endless. The code looks at `hitLimit` each time that it passes the change.

const ENDS_AFTER_MS = 8_000

const endsAtMs = Date.now() + ENDS_AFTER_MS
const state = {
  activeMutant: process.env.MUTATION_CHANGE,
  hitCount: 0,
  get hitLimit() {
    return Date.now() < endsAtMs ? Number.POSITIVE_INFINITY : -1
  },
}
Object.assign(globalThis, { __stryker__: state })
