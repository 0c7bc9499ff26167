// Runs each starter shop that `gapura init` writes, in an empty directory with the packed SDK. The test ends when
// the shop has created a payment and the payment is paid.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../packages/server/test/support/free-port.ts'
import { ownClient } from '../own-client.ts'
import { atEnd, newProject, run, tools, write } from './project.ts'

const cli = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const next = join(tools, 'next/dist/bin/next')
const installed = ['express', 'fastify', 'next', 'react', 'react-dom', '@types', 'typescript']

const starters = [
  { framework: 'express', command: ['--env-file=.env', 'server.ts'] },
  { framework: 'fastify', command: ['--env-file=.env', 'server.ts'] },
  { framework: 'next', command: [next, 'start', '-H', '127.0.0.1'] },
]

let env: Record<string, string>
let sdk: string

beforeAll(async () => {
  const demo = inject('demo')
  const { base_url, sandbox_url } = demo
  // `webhooks listen --count 1` ends after the merchant's first event. Events from another test would
  // therefore end the command too early, so no other test may use this merchant.
  const client = await ownClient(demo)
  const home = await mkdtemp(join(tmpdir(), 'gapura-home-'))
  atEnd(() => rm(home, { recursive: true, force: true }))
  env = {
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: home,
    GAPURA_BASE_URL: base_url,
    GAPURA_SANDBOX_URL: sandbox_url,
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
  }
  const login = start(['login', '--email', client.email], { cwd: home, stdin: client.password })
  expect((await login.ended).exitCode).toBe(0)
  env.GAPURA_API_KEY = client.test_key
  sdk = join(await newProject('module'), 'node_modules/@gapura')
})

describe.each(starters)('the $framework starter', ({ framework, command }) => {
  test('the starter shop shows a payment as paid once a verified webhook has arrived', async () => {
    const shop = await mkdtemp(join(tmpdir(), 'gapura-shop-'))
    atEnd(() => rm(shop, { recursive: true, force: true }))
    const written = await start(['init', framework], { cwd: shop }).ended
    expect(written).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await readFile(join(shop, '.env'), 'utf8')).not.toMatch(/^\w+=$/m)
    await mkdir(join(shop, 'node_modules'))
    await symlink(sdk, join(shop, 'node_modules/@gapura'))
    for (const name of installed) await symlink(join(tools, name), join(shop, 'node_modules', name))
    const { GAPURA_API_KEY: _, GAPURA_BASE_URL: __, GAPURA_SANDBOX_URL: ___, ...bare } = env
    const port = await freePort()
    // The root directory of Next.js is set to `/`, because Next.js follows symbolic links to installed packages only
    // below its root directory.
    if (framework === 'next') {
      await write(shop, { 'next.config.mjs': `export default { turbopack: { root: '/' } }\n` })
      await run(process.execPath, [next, 'build'], { cwd: shop, env: bare })
    }
    const server = spawn(process.execPath, command, {
      cwd: shop,
      env: { ...bare, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    atEnd(() => end(server))
    const address = `http://127.0.0.1:${port}`
    expect(await untilPage(address, server, page => page.includes('Buy'))).toContain('One book')

    const hook = `${address}/webhooks/gapura`
    const listening = start(['webhooks', 'listen', '--forward-to', hook, '--count', '1'], { cwd: shop })
    await listening.shows('Listening')
    const post = (path: string) => fetch(address + path, { method: 'POST', redirect: 'manual' })
    const ordered = await post('/orders')
    const order = ordered.headers.get('location') ?? ''
    expect([ordered.status, order]).toEqual([303, expect.stringMatching(/^\/orders\/[\w-]+$/)])
    expect(await untilPage(address + order, server, () => true)).toMatch(/<strong>\d+<\/strong>[\s\S]*Pay in/)
    expect((await post(`${order}/pay`)).status).toBe(303)
    expect(await untilPage(address + order, server, page => page.includes('Thank you'))).toContain('is paid')
    expect(await listening.ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('-> 204') })
    const forged = await fetch(hook, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(forged.status).toBe(400)
  })
})

test('the starter projects receive webhooks with the same code as the webhook recipes', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/guides/webhook-recipes.md'), 'utf8')
  const blocks = new Map(
    [...page.matchAll(/^```ts title="(.+)"\n([\s\S]*?)^```$/gm)].map(([, title, code = '']) => [title, code]),
  )
  const starter = (file: string) =>
    readFile(join(import.meta.dirname, '../../packages/cli/starters', file), 'utf8')
  const handlerOf = (recipe = '') => recipe.slice(recipe.search(/^app\.(post|register)\(/m))
  expect(await starter('shared/shop.ts')).toContain(blocks.get('shop.ts'))
  expect(await starter('express/server.ts')).toContain(handlerOf(blocks.get('express.ts')))
  expect(await starter('fastify/server.ts')).toContain(handlerOf(blocks.get('fastify.ts')))
  const route = 'app/webhooks/gapura/route.ts'
  expect(await starter(`next/${route}`)).toBe(blocks.get(route))
})

/** Starts the CLI. The returned function `shows` waits until the CLI has written the given text to stderr. */
function start(args: string[], { cwd, stdin = '' }: { cwd: string; stdin?: string }) {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env })
  atEnd(() => end(child))
  child.stdin.end(stdin)
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const stdout = text(child.stdout)
  return {
    ended: once(child, 'close').then(async ([exitCode]) => ({ exitCode, stderr, stdout: await stdout })),
    async shows(wanted: string) {
      while (!stderr.includes(wanted)) {
        if (child.exitCode !== null) throw new Error(`gapura ${args.join(' ')} ended:\n${stderr}`)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
  }
}

async function untilPage(url: string, server: ChildProcess, isDone: (page: string) => boolean) {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the shop ended with ${server.exitCode}`)
    const page = await fetch(url).then(
      response => response.text(),
      () => undefined,
    )
    if (page !== undefined && isDone(page)) return page
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
