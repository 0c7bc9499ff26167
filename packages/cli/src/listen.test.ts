import { webhooks } from '@gapura/sdk'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { aPayment, ok, service } from '../test/service.ts'

const [oldSecret, newSecret] = ['a', 'b'].map(letter => `whsec_${letter.repeat(32)}`) as [string, string]

const eventOf = (id: string) =>
  JSON.stringify({
    ...{ id, type: 'payment.paid', created_at: '2026-11-20T03:09:12.000Z', mode: 'test' },
    ...{ previous_status: 'pending', data: aPayment, ledger_entry: null },
  })

test('webhooks listen forwards all events of a response, even if the secret is rotated before the last one', async () => {
  const signed = await Promise.all(
    ['event-1', 'event-2'].map(async id => {
      const body = eventOf(id)
      return { id, headers: await webhooks.sign(body, oldSecret), body }
    }),
  )
  let reads = 0
  const { baseUrl } = await service(({ path }) => {
    if (path !== '/v1/account/webhook')
      return ok({ events: path.includes('cursor') ? signed : [], cursor: 'position' })
    reads++
    return ok({
      ...{ callback_url: null, previous_secret_expires_at: null },
      secret: reads === 1 ? oldSecret : newSecret,
    })
  })
  const { exitCode, stdout, stderr } = await newHome().gapura(
    ['webhooks', 'listen', '--count', '2', '--json'],
    {
      env: { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl },
    },
  )
  expect(exitCode, stderr).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { id: 'event-1', verified: true },
    { id: 'event-2', verified: true },
  ])
})
