import type { Answer } from 'dns-packet'
import { expect, test } from 'vitest'
import { nameServer, recordsOf, type Zone } from '../../../test/support/name-server.ts'
import { hashPassword } from '../../auth/passwords/password-hash.ts'
import { nameResolver } from './name-resolver.ts'

async function resolverOf(zone: Zone, timeoutMs?: number) {
  const server = await nameServer(zone)
  const resolve = nameResolver({ servers: [server.address], ...(timeoutMs && { timeoutMs }) })
  return { resolve, asked: server.asked }
}
const shop = 'shop.example.com'

test("a webhook receiver's host name resolves to its IPv4 and IPv6 addresses, IPv4 first", async () => {
  const { resolve } = await resolverOf(question =>
    recordsOf(question, ['2606:4700::1', '1.1.1.1', '1.0.0.1']),
  )
  expect(await resolve(shop)).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '1.0.0.1', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ])
})

test("a host name that is an alias resolves to its target's addresses", async () => {
  const { resolve } = await resolverOf(question => {
    const alias: Answer = { type: 'CNAME', name: question.name, data: 'inner.example.net' }
    return question.type === 'A'
      ? [alias, { type: 'A', name: 'inner.example.net', data: '10.0.0.7' }]
      : [alias]
  })
  expect(await resolve(shop)).toEqual([{ address: '10.0.0.7', family: 4 }])
})

test('a host name resolves to its IPv6 addresses even if the query for IPv4 addresses fails', async () => {
  for (const other of ['none', 'silence'] as const) {
    const { resolve } = await resolverOf(
      question => (question.type === 'AAAA' ? recordsOf(question, ['2606:4700::1']) : other),
      2_000,
    )
    expect(await resolve(shop)).toEqual([{ address: '2606:4700::1', family: 6 }])
  }
})

test('a host name that is invalid, does not exist or has no address fails with ENOTFOUND', async () => {
  const { resolve } = await resolverOf(({ name }) => (name === shop ? 'none' : []))
  for (const name of [shop, 'mail-only.example.com', 'a..b'])
    await expect(resolve(name)).rejects.toMatchObject({
      code: 'ENOTFOUND',
      message: expect.stringContaining(name),
    })
})

test('a lookup without a response from the name server fails differently than an unknown host name', async () => {
  const { resolve } = await resolverOf(() => 'silence', 100)
  await expect(resolve(shop)).rejects.toMatchObject({ code: 'EAI_AGAIN', cause: { code: 'ECANCELLED' } })
})

test('concurrent lookups of a host name share one query, and a later lookup sends a new query', async () => {
  const { resolve, asked } = await resolverOf(question => recordsOf(question, ['1.1.1.1']))
  await Promise.all(Array.from({ length: 50 }, () => resolve(shop)))
  expect(asked.map(({ type }) => type).sort()).toEqual(['A', 'AAAA'])
  await resolve(shop)
  expect(asked).toHaveLength(4)
})

test('a failed host name lookup is not cached', async () => {
  let is = false
  const { resolve } = await resolverOf(question => (is ? recordsOf(question, ['1.1.1.1']) : 'none'))
  await expect(resolve(shop)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  is = true
  expect(await resolve(shop)).toHaveLength(1)
})

test('a lookup whose name server hangs blocks neither lookups of other names nor password hashing', async () => {
  const { resolve } = await resolverOf(question =>
    question.name.startsWith('hangs') ? 'silence' : recordsOf(question, ['1.1.1.1']),
  )
  // The test starts more DNS lookups than libuv has threads. If these lookups ran on libuv's threads, they would occupy
  // all threads and block the password hashing.
  const hanging = Array.from({ length: 16 }, (_, i) =>
    resolve(`hangs${i}.example.com`).catch(error => error.code),
  )
  const ended: string[] = []
  const note = (what: string) => () => ended.push(what)
  await Promise.all([
    resolve(shop).then(note('name')),
    hashPassword('correct horse battery staple').then(note('password')),
    Promise.race(hanging).then(note('hanging')),
  ])
  expect(ended.at(-1)).toBe('hanging')
})
