// Defines what a merchant, a developer and an operator do in their first hour with Gapura. Every command
// comes from a documentation page.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../docs/pages.ts'
import { startPostgres } from '../docs/postgres.ts'
import { readBlock, readCommand } from '../docs/read-command.ts'
import { type Place, runPage, withPorts } from '../docs/run-page.ts'
import { openTerminal } from '../docs/terminal.ts'
import type { BareMachine } from './bare-machine.ts'
import { payInDashboard } from './pay-in-dashboard.ts'
import type { Stopwatch } from './stopwatch.ts'

// The time limit in milliseconds of each step. It is long enough for a first start that installs packages on
// a slow machine.
const patienceMs = 600_000

type Journey = (machine: BareMachine, stopwatch: Stopwatch) => Promise<void>

const readPage = async (page: string, place: Place): Promise<string> =>
  withPorts(await readFile(join(root, page), 'utf8'), place)

/**
 * The merchant starts the service, pays a test payment in the dashboard and sees the amount in the balance. Then the
 * merchant repeats these steps with the CLI.
 */
const merchant: Journey = async (machine, { time }) => {
  const place = { ...machine, directory: machine.clone }
  const readme = await readPage('README.md', place)
  const cli = await readPage('packages/cli/README.md', place)
  const service = await openTerminal(place)
  const shell = await openTerminal(place)
  try {
    const start = readCommand(readme, 'npm start')
    await time('README.md', start, async () => {
      await service.type(start)
      while (!service.unread().includes('Gapura is ready at')) {
        if (service.exitCode() !== undefined) throw new Error(`${start} ended:\n${service.unread()}`)
        await sleep(50)
      }
    })
    const demo = JSON.parse(await readFile(join(machine.clone, '.gapura/demo.json'), 'utf8'))
    const [dashboard] = readme.match(/http:\/\/[^>\s]+\/dashboard/) ?? []
    if (!dashboard) throw new Error('README.md does not contain the URL of the dashboard')
    await payInDashboard(dashboard, demo.client, time)

    const page = 'packages/cli/README.md'
    const run = async (source: string, command: string) =>
      (await time(source, command, () => shell.run(command, patienceMs))).printed
    await shell.run(`export GAPURA_API_KEY=${demo.client.test_key}`, patienceMs)
    await shell.run(`export GAPURA_BASE_URL=${demo.base_url}`, patienceMs)
    await shell.run(readCommand(cli, 'field()'), patienceMs)
    await run('README.md', readCommand(readme, './gapura payments create'))
    await run(page, readCommand(cli, 'payment=$('))
    await run(page, readCommand(cli, 'code=$('))
    await run(page, readCommand(cli, './gapura payments pay'))
    const balance = readCommand(cli, './gapura ledger balance')
    const expected = /Rp\s250\.000/ // two payments: Rp150,000 paid in the dashboard, Rp100,000 paid with the CLI
    await time(page, balance, async () => {
      let printed = ''
      for (let tries = 0; tries < 100 && !expected.test(printed); tries++)
        ({ printed } = await shell.run(balance, patienceMs))
      if (!expected.test(printed)) throw new Error(`the balance is ${printed}`)
    })
  } finally {
    await Promise.all([shell.close(), service.close()])
  }
}

/**
 * Acts as a new developer: follows the quick start until a webhook is verified, and then runs the README's example of
 * the SDK.
 */
const developer: Journey = async (machine, { around, time }) => {
  const page = 'docs/guides/quick-start.md'
  const { close } = await runPage(join(root, page), machine, { patienceMs, around: around(page) })
  const shop = { ...machine, directory: join(machine.directory, 'shop') }
  const shell = await openTerminal(shop)
  try {
    const program = readBlock(await readPage('README.md', machine), 'ts')
    await writeFile(join(shop.directory, 'readme.ts'), program)
    const command = 'npx tsx --env-file=.env readme.ts'
    const { printed } = await time('README.md', command, () => shell.run(command, patienceMs))
    if (!/^\d+\n$/.test(printed))
      throw new Error(`the README's example must print one number, but printed ${printed}`)
  } finally {
    await shell.close()
    await close()
  }
}

/**
 * The operator deploys the service with a separate PostgreSQL server, onboards a merchant and receives the merchant's
 * first payment.
 */
const operator: Journey = async (machine, { around, time }) => {
  const data = join(machine.directory, 'postgres')
  const port = machine.ports.get('5432') as number
  const postgres = await time('', 'PostgreSQL of the operator', () => startPostgres(data, port))
  const env = { ...machine.env, PATH: `${postgres.binaries}:${machine.env.PATH}` }
  const place = { ...machine, env, directory: machine.clone }
  const closers: (() => Promise<void>)[] = [postgres.stop]
  try {
    const run = async (page: string, options = {}) => {
      const { close } = await runPage(join(root, page), place, {
        patienceMs,
        around: around(page),
        ...options,
      })
      closers.unshift(close)
    }
    await run('docs/guides/deploy.md', { section: 'Without containers' })
    await run('docs/guides/onboarding.md', { skipTab: 'Demonstration' })
  } finally {
    for (const close of closers) await close()
  }
}

export const journeys = { merchant, developer, operator } as const
