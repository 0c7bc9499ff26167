/**
 * Returns the number of runs of a test with random input. In `npm run test:heavy` and in mutation tests, the result is
 * `all`; in `npm test`, it is a tenth of `all`. Each run has new input, so repeated runs of `npm test` try many inputs.
 */
export const randomRuns = (all: number): number =>
  process.env.GAPURA_ALL_RANDOM_RUNS ? all : Math.ceil(all / 10)
