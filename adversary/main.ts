// npm run test:adversary: each attack against one process while five merchants work; what they noticed of it.

import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startAttack } from './attacker.ts'
import { attacks } from './attacks.ts'
import { type Figures, openShops } from './merchants.ts'
import { type Row, withFigures } from './report.ts'
import { startWorld } from './world.ts'

const usage = `test:adversary [option…]

  --seconds <n>   of each window, with the attack and without it (20)
  --only <name>   an attack; may be given again (all of them)
  --write         puts the figures into docs/overload.md
`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stderr.write(usage)
  process.exit(0)
}
const seconds = Number(values.seconds)
const names = values.only ?? Object.keys(attacks)
const say = (line: string) => void process.stderr.write(`${line}\n`)

const rows: Row[] = []
const world = await startWorld()
const shops = openShops(world)
const window = async (): Promise<Figures> => {
  shops.begin()
  await pause(seconds * 1_000)
  return shops.end()
}
const shown = ({ requests, errors, p50, p99, unpaid }: Figures) =>
  `${requests} requests, ${errors.length} errors, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ${unpaid} unpaid`

try {
  await pause(5_000)
  for (const name of names) {
    const before = await window()
    say(`${name}: calm: ${shown(before)}`)
    const attack = await startAttack(name, world.target)
    await pause(3_000)
    const during = await window()
    await attack.stop()
    say(`${name}: attacked: ${shown(during)}; p99 × ${(during.p99 / before.p99).toFixed(2)}`)
    const kinds = Map.groupBy(during.errors, each => each)
    for (const [each, all] of [...kinds].slice(0, 6)) say(`    ${all.length} × ${each}`)
    rows.push({ title: attacks[name]?.title ?? name, calm: before, attacked: during })
    await pause(2_000)
  }
} finally {
  shops.stop()
  await world.stop()
}
if (values.write) {
  const file = join(import.meta.dirname, '../docs/overload.md')
  const day = new Date().toISOString().slice(0, 10)
  const about = `On ${cpus().length} processors, ${day}, ${seconds} s each. Errors count answers other than 200 and payments whose notification was lost.`
  await writeFile(file, withFigures(await readFile(file, 'utf8'), rows, about))
}
const isHurt = rows.some(({ attacked }) => attacked.errors.length + attacked.unpaid > 0)
process.exit(isHurt ? 1 : 0)
