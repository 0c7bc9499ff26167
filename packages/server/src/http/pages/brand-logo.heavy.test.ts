import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/merchant.ts'
import type { Db } from '../../db/db.ts'
import { newId } from '../../values/id.ts'
import { mountBrandLogo } from './brand-logo.ts'

const PATH = `/branding/${newId()}/logo/${'a'.repeat(64)}`
const logo = { type: 'image/png', data: Buffer.alloc(100_000) }

/** Serves one logo. The request's header `x-source` is its network source, and the response's `x-fault` its error. */
async function serveLogo(): Promise<string> {
  const router = new Router()
  const db = { raw: async () => ({ rows: [logo] }) } as unknown as Db
  mountBrandLogo(router, db, ({ headers }) => String(headers['x-source']))
  const koa = new Koa().use((ctx, next) =>
    next().catch(({ status, fault }) => {
      ctx.status = status
      ctx.set('x-fault', fault)
    }),
  )
  const server = createServer(koa.use(router.routes()).callback() as never)
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a source whose logos are unread gets no further logo until it disconnects, but other sources do', async () => {
  const url = await serveLogo()
  const open = () => {
    const session = connect(url)
    onTestFinished(() => session.destroy())
    return session
  }
  const [unreading, reading] = [open(), open()]
  const answerFor = async (source: string) => {
    const stream = reading.request({ ':path': PATH, 'x-source': source })
    const [headers] = await once(stream, 'response')
    await once(stream.resume(), 'close')
    return headers['x-fault'] ?? headers[':status']
  }
  // A client of HTTP/2 accepts only 64 KiB before it reads, so the rest of each logo stays in the server's memory.
  const requestMore = () => {
    for (let n = 0; n < 16; n++)
      unreading.request({ ':path': PATH, 'x-source': 'slow' }).on('error', () => {})
  }
  await until('too many logos are unread', async () => {
    requestMore()
    return (await answerFor('slow')) === 'responses_not_received'
  })
  expect(await answerFor('other')).toBe(200)
  unreading.destroy()
  await until('the unread logos are discarded', async () => (await answerFor('slow')) === 200)
})
