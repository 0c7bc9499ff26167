// Runs all simulated attacks on the service at a tenth of the load of a full run. The service must accept every
// merchant's request and credit every paid payment within a time limit. `npm run test:adversary` also measures latency,
// on an idle machine.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAttack } from './attacker.ts'
import { attacks } from './attacks.ts'
import { openShops, type Shops } from './merchants.ts'
import { startWorld, type World } from './world.ts'

let world: World
let shops: Shops
beforeAll(async () => {
  world = await startWorld({ scale: 0.1 })
  shops = openShops(world, EVERY_MS)
})
afterAll(async () => {
  shops?.stop()
  await world?.stop()
})

const SECONDS = 4
/**
 * How often a simulated shop sends its requests, in milliseconds. Shops send less often than in a full run, because
 * other tests use the machine at the same time.
 */
const EVERY_MS = 250
const AT_ONCE = 8

const names = Object.keys(attacks)
const groups = Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, n) =>
  names.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
)

/**
 * Returns whether an attack could have caused the error. Errors about a slow database do not count, because other
 * tests that run on the machine can cause them.
 */
const isOfAttack = (error: string): boolean => !error.includes('the database')

test.each(groups)(
  'while several attacks run, including %s and %s, every request of a merchant succeeds and each paid payment is credited',
  {
    timeout: 300_000,
  },
  async (...group) => {
    const started = await Promise.all(group.map(name => startAttack(name, world.target)))
    try {
      shops.begin()
      await pause(SECONDS * 1_000)
    } finally {
      await Promise.all(started.map(attack => attack.stop()))
    }
    const { requests, errors, unpaid } = await shops.end()
    expect({ errors: errors.filter(isOfAttack), unpaid }).toEqual({ errors: [], unpaid: 0 })
    expect(requests).toBeGreaterThan(0)
  },
)
