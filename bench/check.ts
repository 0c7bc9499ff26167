// pnpm bench:check: finds large slowdowns within two minutes. Its rounds are fewer and shorter than in pnpm bench,
// and use the small data set. Its limits are generous, because other programs may load the machine.

import { setStages } from './host/stage.ts'
import { type Bound, isMet, type Line } from './measure.ts'
import { apply } from './measures/apply.ts'
import { callbacks } from './measures/callbacks.ts'
import { create } from './measures/create.ts'
import { get } from './measures/get.ts'
import { webhooks } from './measures/webhooks.ts'
import { terminal } from './report/report.ts'
import { runMeasures } from './run.ts'

const SECONDS = 1
const ROUNDS = 2
const PAYMENTS = 50_000
/** `pnpm bench:check` multiplies each `pnpm bench` limit by this factor, so it fails only on large slowdowns. */
const SLACK = 2

const { stages, stop } = await setStages({
  sizes: [PAYMENTS],
  dataDir: undefined,
  rounds: ROUNDS,
  seconds: SECONDS,
  profiles: undefined,
  progress: line => void process.stderr.write(`${line}\n`),
})
try {
  const report = await runMeasures([create, get, callbacks, apply, webhooks], stages)
  const measured = report.measured.map(each => ({ ...each, lines: each.lines.map(slackened) }))
  process.stdout.write(`\n${terminal({ ...report, measured })}`)
  const missed = measured.flatMap(({ lines }) => lines).filter(line => isMet(line) === false)
  process.stdout.write(missed.map(({ what }) => `too slow: ${what}\n`).join(''))
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  await stop()
}

function slackened({ bound, ...line }: Line): Line {
  return bound ? { ...line, bound: slackenedBound(bound) } : line
}

function slackenedBound(bound: Bound): Bound {
  return 'atLeast' in bound ? { atLeast: bound.atLeast / SLACK } : { atMost: bound.atMost * SLACK }
}
