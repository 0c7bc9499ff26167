// npm run test:adversary: attacks one process of the service while five merchants use it, and measures the effect on
// the merchants. The attacker alternates between the service and a decoy server (docs/overload.md).

import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startAttack } from './attacker.ts'
import { attacks } from './attacks.ts'
import { startDecoy } from './decoy.ts'
import { type Figures, type Kind, openShops } from './merchants.ts'
import { type Row, withFigures } from './report.ts'
import { startWorld } from './world.ts'

const usage = `test:adversary [option…]

  --seconds <n>   seconds measured per attack; during half of them, the attacker targets a decoy (default: 25)
  --only <name>   run only this attack; can be repeated (default: all attacks)
  --write         write the measured figures to docs/overload.md
`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '25' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stderr.write(usage)
  process.exit(0)
}
/**
 * The intervals of one attack. In an attacked interval, the attacker targets the service. In a control interval, the
 * attacker targets the decoy, a separate server on the same machine. Short intervals keep the other load on the machine
 * similar.
 */
const STRETCHES: Kind[] = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? 'control' : 'attacked'))
const SETTLE_MS = 800
/** The length of the warm-up before the first attack, during which Node compiles the service's code. */
const WARM_UP_MS = 15_000
const seconds = Number(values.seconds)
const names = values.only ?? Object.keys(attacks)
const say = (line: string) => void process.stderr.write(`${line}\n`)

const rows: Row[] = []
const world = await startWorld()
const decoy = await startDecoy()
const shops = openShops(world)

async function trialOf(name: string): Promise<Figures> {
  shops.begin()
  for (const kind of STRETCHES) {
    const url = kind === 'control' ? decoy.url : world.target.url
    const attack = await startAttack(name, { ...world.target, url })
    await pause(SETTLE_MS)
    shops.stretch(kind)
    await pause((seconds * 1_000) / STRETCHES.length)
    shops.stretch('between')
    await attack.stop()
  }
  return shops.end()
}

try {
  await pause(WARM_UP_MS)
  for (const name of names) {
    const figures = await trialOf(name)
    const { requests, errors, unpaid, p50, p99, noise } = figures
    const [calm, hit] = [p99.control, p99.attacked].map(ms => ms.toFixed(1))
    say(
      `${name}: ${requests} requests, ${errors.length} errors, ${unpaid} unpaid payments; response times without → with the attack: p50 ${p50.control.toFixed(1)} → ${p50.attacked.toFixed(1)} ms, p99 ${calm} → ${hit} ms, ratio of the p99s ${(p99.attacked / p99.control).toFixed(2)} (noise ${noise.toFixed(2)})`,
    )
    const kinds = Map.groupBy(errors, each => each)
    for (const [each, all] of [...kinds].slice(0, 6)) say(`    ${all.length} × ${each}`)
    rows.push({ title: attacks[name]?.title ?? name, figures })
  }
} finally {
  shops.stop()
  await decoy.stop()
  await world.stop()
}
if (values.write) {
  const file = join(import.meta.dirname, '../docs/overload.md')
  const day = new Date().toISOString().slice(0, 10)
  const noises = rows.map(({ figures }) => figures.noise).sort((a, b) => a - b)
  const [middle, most] = [noises[Math.floor(noises.length / 2)], noises.at(-1)].map(each => each?.toFixed(2))
  const about = `The attacks ran on ${cpus().length} processors on ${day}, for ${seconds} s each. Errors are responses other than 200, and payments whose callback was lost. The p99 latency also varied in the control intervals, in which the attacker does not reach the service. Within one attack, the largest p99 of these intervals was ${middle} times the smallest (median of all attacks), and at most ${most} times.`
  await writeFile(file, withFigures(await readFile(file, 'utf8'), rows, about))
}
const isHurt = rows.some(({ figures }) => figures.errors.length + figures.unpaid > 0)
process.exit(isHurt ? 1 : 0)
