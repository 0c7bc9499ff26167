/**
 * Returns how many times a test with random input runs: `all` times in `npm run test:heavy` and in mutation
 * tests, and a tenth of that in `npm test`. The input differs in each run.
 */
export const randomRuns = (all: number): number =>
  process.env.GAPURA_ALL_RANDOM_RUNS ? all : Math.ceil(all / 10)
