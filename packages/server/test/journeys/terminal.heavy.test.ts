// Starts the service on a pseudo-terminal with 80 columns, which the program script(1) creates.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../support/merchant.ts'
import { newPlace, removePlace, startService } from '../support/service.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
// biome-ignore lint/suspicious/noControlCharactersInRegex: color codes start with one.
const color = /\u001b\[\d+m/
/** Matches the log line of a rejected request. In this line, the level `info` is printed in color. */
const rejected = 'status=401'

/** Sends one request that succeeds and one that is rejected. */
async function sendRequests(port: number): Promise<void> {
  const base = `http://127.0.0.1:${port}`
  expect((await fetch(`${base}/openapi.json`)).status).toBe(200)
  const headers = { authorization: 'ApiKey gp_test_wrong' }
  expect((await fetch(`${base}/v1/account/balance`, { headers })).status).toBe(401)
}

async function screenOf(env: Record<string, string>): Promise<string> {
  const place = await newPlace()
  onTestFinished(() => removePlace(place))
  const own = { ...process.env }
  // Removes the variable CI, because Node prints no colors if it is set. CI systems set it, but a user's terminal does
  // not.
  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR', 'GAPURA_LOG_LEVEL']) delete own[name]
  const command = `stty cols 80 rows 24; exec '${process.execPath}' '${main}'`
  const args = ['--quiet', '--flush', '--return', '--command', command, '/dev/null']
  const terminal = spawn('script', args, {
    env: { ...own, TERM: 'xterm', GAPURA_DATA_DIR: place.dataDir, PORT: String(place.port), ...env },
  })
  let screen = ''
  terminal.stdout.on('data', chunk => {
    screen += chunk
  })
  const exited = once(terminal, 'close')
  await until('the service is ready', () => screen.includes('Pay it in the sandbox'))
  await sendRequests(place.port)
  await until('the rejected request is shown', () => screen.includes(rejected))
  // Types Ctrl-C, which the terminal converts into a signal to the service.
  terminal.stdin.write('\u0003')
  await exited
  return screen
}

test('on a terminal, the service prints its addresses and rejected requests as text, not as JSON', async () => {
  const screen = await screenOf({})
  expect(screen).toMatch(/Gapura is ready at http.*\r\n\r\n {2}Dashboard /)
  expect(screen).not.toMatch(/^\s*\{"/m)
  expect(screen).not.toContain('/openapi.json')
  expect(screen.split('\n').find(line => line.includes(rejected))).toMatch(color)
})

test('NO_COLOR turns off the colors on a terminal', async () => {
  expect(await screenOf({ NO_COLOR: '1' })).not.toMatch(color)
})

test('without a terminal, the service logs each request as JSON', async () => {
  const place = await newPlace()
  onTestFinished(() => removePlace(place))
  const service = await startService(place, { GAPURA_LOG_LEVEL: 'info' })
  await sendRequests(place.port)
  await until('the request is logged', () => service.output().includes('"status":401'))
  await service.stop()
  const lines = service
    .output()
    .split('\n')
    .filter(line => line.includes('"msg":"request"'))
  expect(lines.map(line => JSON.parse(line).status)).toEqual(expect.arrayContaining([200, 401]))
})
