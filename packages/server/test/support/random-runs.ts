/**
 * Returns the number of runs of a test with random input: all of them in `npm run test:heavy` and in mutation tests, a
 * tenth in `npm test`. Each run draws other input, so the many runs of `npm test` together try as much.
 */
export const randomRuns = (all: number): number =>
  process.env.GAPURA_ALL_RANDOM_RUNS ? all : Math.ceil(all / 10)
