/**
 * Returns the number of runs of a test with random input. It is `all` in `npm run test:heavy` and in mutation tests,
 * and a tenth of `all` in `npm test`. The input is different in each run, so repeated runs of `npm test` try many
 * inputs.
 */
export const randomRuns = (all: number): number =>
  process.env.GAPURA_ALL_RANDOM_RUNS ? all : Math.ceil(all / 10)
