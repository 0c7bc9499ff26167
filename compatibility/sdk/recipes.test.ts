// Runs the documentation page's webhook receivers unchanged, each with its real framework, and tests the guarantees
// made on the page.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../../packages/sdk/src/webhooks.ts'
import { freePort } from '../../packages/server/test/support/free-port.ts'
import { atEnd, newProject, run, tools, write } from './project.ts'

const page = join(import.meta.dirname, '../../docs/guides/webhook-recipes.md')

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const [secret, previousSecret] = [newSecret(), newSecret()]

let project: string

beforeAll(async () => {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```ts title="(.+)"\n([\s\S]*?)^```$/gm)]
  const files = Object.fromEntries(blocks.map(([, title = '', code = '']) => [title, code]))
  project = await newProject('module', files)
  const installed = ['express', 'fastify', 'koa', 'raw-body', 'hono', '@hono', 'next', 'react', 'react-dom']
  for (const name of [...installed, '@types', 'typescript'])
    await symlink(join(tools, name), join(project, 'node_modules', name))
  await write(project, {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2024',
        lib: ['es2024', 'dom'],
        module: 'esnext',
        moduleResolution: 'bundler',
        allowImportingTsExtensions: true,
        erasableSyntaxOnly: true,
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        types: ['node'],
      },
      include: ['*.ts', 'app'],
    }),
    // By default, Next.js looks for frameworks only inside the project. Here, the project's frameworks are symbolic
    // links to directories outside it, so `root` is set to `/`.
    'next.config.mjs': `export default { turbopack: { root: '/' }, typescript: { ignoreBuildErrors: true } }\n`,
  })
})

test('every code block in the webhook recipes compiles in strict mode', async () => {
  await run(process.execPath, [join(tools, 'typescript/bin/tsc'), '-p', '.'], { cwd: project })
})

type Receiver = {
  url: string
  orders(table?: 'paid_orders' | 'orders_to_review'): unknown[]
  whileWorkFails(act: () => Promise<void>): Promise<void>
}

const recipes = [
  { name: 'Express', command: ['express.ts'] },
  { name: 'Fastify', command: ['fastify.ts'] },
  { name: 'Koa', command: ['koa.ts'] },
  { name: 'Hono', command: ['hono.ts'] },
  { name: 'Next', command: [join(tools, 'next/dist/bin/next'), 'start', '-H', '127.0.0.1'] },
]

describe.each(recipes)('the webhook receiver for $name', ({ name, command }) => {
  let receiver: Receiver

  beforeAll(async () => {
    if (name === 'Next') await buildNext()
    receiver = await start(name, command)
  })

  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(receiver.url, { method: 'POST', headers, body })).status

  const send = async (body: string, secrets: string | string[] = secret, at = new Date()) =>
    post(body, await sign(body, secrets, { at }))

  const recorded = (event: { data: { payment_code: string } }) =>
    receiver
      .orders()
      .filter(order => (order as { payment_code: string }).payment_code === event.data.payment_code)

  test('if a webhook arrives three times, the receiver in the recipes processes it only once', async () => {
    const event = paidEvent()
    const body = JSON.stringify(event)
    expect(await send(body)).toBe(204)
    expect(await Promise.all([send(body), send(body)])).toEqual([204, 204])
    expect(recorded(event)).toEqual([{ payment_code: event.data.payment_code, amount_cents: 10_000_000 }])
  })

  test("if a webhook's signature is invalid, the receiver in the recipes returns 400", async () => {
    const event = paidEvent()
    const body = JSON.stringify(event)
    expect(await send(body, newSecret())).toBe(400)
    expect(await post(body.replace('10000000', '10000001'), await sign(body, secret))).toBe(400)
    expect(await post(body, { 'content-type': 'application/json' })).toBe(400)
    expect(await post('', await sign(body, secret))).toBe(400)
    expect(recorded(event)).toEqual([])
  })

  test('the webhook receiver in the recipes ignores orders of the other mode (live or test)', async () => {
    const event = { ...paidEvent(), mode: 'live' }
    expect(await send(JSON.stringify(event))).toBe(204)
    expect(recorded(event)).toEqual([])
  })

  test('if the operator accepted less than the amount due, the receiver in the recipes keeps the order for review', async () => {
    const event = paidEvent({ amount_paid: amount - 100 })
    expect(await send(JSON.stringify(event))).toBe(204)
    expect(recorded(event)).toEqual([])
    const { payment_code } = event.data
    expect(receiver.orders('orders_to_review')).toContainEqual({ payment_code })
  })

  test.each(['payment.refunded', 'payment.reversed'])(
    'if an old payment.paid arrives after %s, the receiver in the recipes keeps the order for review',
    async type => {
      const paid = paidEvent()
      const returned = { ...paidEvent(paid.data), type, previous_status: 'paid' }
      expect(await send(JSON.stringify(returned))).toBe(204)
      expect(await send(JSON.stringify(paid))).toBe(204)
      expect(recorded(paid)).toEqual([])
      const { payment_code } = paid.data
      expect(receiver.orders('orders_to_review')).toContainEqual({ payment_code })
    },
  )

  test("if a webhook's timestamp is old, the receiver in the recipes returns 400", async () => {
    const event = paidEvent()
    expect(await send(JSON.stringify(event), secret, new Date(Date.now() - 10 * 60_000))).toBe(400)
    expect(recorded(event)).toEqual([])
  })

  test("during a secret rotation, the recipes' webhook receiver accepts signatures with the current or previous secret", async () => {
    for (const secrets of [secret, previousSecret, [secret, previousSecret], [newSecret(), previousSecret]]) {
      const event = paidEvent()
      expect(await send(JSON.stringify(event), secrets)).toBe(204)
      expect(recorded(event)).toHaveLength(1)
    }
  })

  test('the receiver in the recipes accepts a signed webhook with unusual JSON formatting', async () => {
    const event = paidEvent({ customer_name: 'Zoë 🛍️ "Toko"' })
    const escaped = JSON.stringify(event, null, 3).replace('ë', '\\u00eb')
    const body = `\r\n\t${escaped.replace('10000000', '1.0E7')} \n`
    expect(JSON.stringify(JSON.parse(body))).toBe(JSON.stringify(event))
    expect(await send(body)).toBe(204)
    expect(recorded(event)).toHaveLength(1)
  })

  test('the receiver in the recipes accepts a webhook with the largest possible order', async () => {
    const event = paidEvent({ customer_name: 'x'.repeat(300 * 1024) })
    expect(await send(JSON.stringify(event))).toBe(204)
    expect(recorded(event)).toHaveLength(1)
  })

  test('if processing fails, the receiver in the recipes returns 5xx, and processes the webhook when it is redelivered', async () => {
    const event = paidEvent()
    const body = JSON.stringify(event)
    await receiver.whileWorkFails(async () => {
      expect(await send(body)).toBe(500)
      expect(await send(body)).toBe(500)
    })
    expect(await send(body)).toBe(204)
    expect(recorded(event)).toHaveLength(1)
  })
})

test("the recipes' webhook receiver processes orders only for webhooks of live mode unless another mode is configured", async () => {
  const receiver = await start('live', ['hono.ts'], {})
  const events = [paidEvent(), { ...paidEvent(), mode: 'live' }]
  for (const event of events) {
    const body = JSON.stringify(event)
    expect(
      (await fetch(receiver.url, { method: 'POST', headers: await sign(body, secret), body })).status,
    ).toBe(204)
  }
  expect(receiver.orders()).toEqual([
    { payment_code: events[1]?.data.payment_code, amount_cents: 10_000_000 },
  ])
})

test('the example receiver in the recipes accepts a webhook from the example sender on the same page', async () => {
  const receiver = await start('sender', ['hono.ts'])
  expect((await run(process.execPath, ['send.ts', receiver.url, secret], { cwd: project })).trim()).toBe(
    '204',
  )
  expect((await run(process.execPath, ['send.ts', receiver.url, newSecret()], { cwd: project })).trim()).toBe(
    '400',
  )
})

const amount = 10_000_000

function paidEvent(data: object = {}) {
  return {
    id: randomUUID(),
    type: 'payment.paid',
    created_at: new Date().toISOString(),
    mode: 'test',
    previous_status: 'pending',
    data: { payment_code: randomUUID(), status: 'paid', amount, amount_paid: amount, ...data },
  }
}

async function start(
  name: string,
  command: string[],
  mode: object = { GAPURA_MODE: 'test' },
): Promise<Receiver> {
  const database = join(project, `${name}.db`)
  const port = await freePort()
  const child = spawn(process.execPath, command, {
    cwd: project,
    env: {
      ...process.env,
      PORT: String(port),
      SHOP_DATABASE: database,
      GAPURA_WEBHOOK_SECRET: `${secret},${previousSecret}`,
      ...mode,
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  atEnd(() => stop(child))
  await untilListening(port, child, () => output)
  return {
    url: `http://127.0.0.1:${port}/webhooks/gapura`,
    orders(table = 'paid_orders') {
      const shop = new DatabaseSync(database, { readOnly: true })
      try {
        return shop
          .prepare(`select * from ${table}`)
          .all()
          .map(row => ({ ...row }))
      } finally {
        shop.close()
      }
    },
    async whileWorkFails(act) {
      const shop = new DatabaseSync(database)
      try {
        shop.exec(
          `create trigger fault before insert on paid_orders begin select raise(abort, 'no stock'); end`,
        )
        await act()
        shop.exec('drop trigger fault')
      } finally {
        shop.close()
      }
    },
  }
}

const buildNext = () =>
  run(process.execPath, [join(tools, 'next/dist/bin/next'), 'build'], {
    cwd: project,
    env: { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
  })

async function untilListening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the receiver did not start:\n${output()}`)
    const answers = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (answers) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
