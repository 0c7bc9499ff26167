// If a genuine callback contained text that the database cannot store, its job would fail forever and the money would
// not be recorded. This test puts such text into every value of every message and signs the message.

import { describe, expect, test } from 'vitest'
import type { ContractData } from '../../src/providers/contract-data.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { receive } from '../support/receive-callback.ts'
import { leavesOf } from './message-mutation.ts'
import { replaceAt } from './mutation.ts'
import { type Message, ownPair, paidMessages, signed } from './provider-messages.ts'

/**
 * Parses the message with the provider's adapter, and returns the updates to payments that the message
 * reports.
 */
async function reportsOf(message: Message, changed: unknown) {
  const provider = providers.get(message.provider) as AnyProvider
  const { contractData } = (await import(`../../src/providers/${message.provider}/contract-data.ts`)) as {
    contractData: ContractData
  }
  const credentials: Record<string, string> = {
    ...contractData.credentials(),
    callback_token: 'token',
    provider_public_key: ownPair.publicKey,
  }
  const path = `/v1/callbacks/${message.provider}/01990000-0000-7000-8000-000000000014`
  const { body, headers } = signed(message, credentials, path + message.endpoint, changed)
  const account = {
    id: '01990000-0000-7000-8000-000000000014',
    mode: 'test' as const,
    credentials: provider.credentials.parse(credentials),
    baseUrl: null,
  }
  const reading = receive(provider, account, {
    ...{ path: path + message.endpoint, headers, receivedAt: new Date() },
    body: Buffer.from(body),
  })
  return 'updates' in reading ? reading.updates : []
}

describe.each(paidMessages)(
  'the adapter of $provider reads the message $name as a payment, and never returns text that the database cannot store',
  message => {
    const genuine = JSON.parse(message.text.replaceAll(/"merchantId"\s*:\s*"[^"]*",?/g, ''))

    test('if the test does not change a published message, the adapter reads it as a paid payment', async () => {
      expect(await reportsOf(message, genuine)).toMatchObject([{ fact: { type: 'paid' } }])
    })

    test.each(['a\0b', 'a\ud83db'])(
      'if a message contains the text %j, which the database cannot store, no value that the adapter returns contains such text',
      async text => {
        for (const { path } of leavesOf(genuine)) {
          const reports = await reportsOf(message, replaceAt(genuine, path, text))
          const said = reports.flatMap(each => [...Object.values(each), ...Object.values(each.fact)])
          const unfit = said.filter(
            each => typeof each === 'string' && (each.includes('\0') || !each.isWellFormed()),
          )
          expect(unfit, path.join('.')).toEqual([])
        }
      },
    )
  },
)
